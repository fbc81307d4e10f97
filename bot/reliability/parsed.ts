/** What is read of one list page, whatever its form. */
import type { ImportedList } from '../../shared/reliability.ts';

export type Parsed = Pick<ImportedList, 'entries' | 'patterns' | 'skipped'>;
