/**
 * A claim and its pages → what another model says of them, as a code and located quotes: never its prose, never a reason to fail
 * or to wait longer than the timeout. Off unless a server is set; asked only where our own score is near the threshold.
 */
import type { Passage, SecondOpinion } from '../../../shared/citation.ts';
import { TransientError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { Page } from '../passages.ts';
import { readPage, select } from '../select.ts';
import { findTerms } from '../terms.ts';
import type { ClaimText } from '../verifier.ts';
import type { Budget } from './budget.ts';
import { type Chat, type ChatSettings, createChat } from './chat.ts';
import { answerSchema, parseAnswer, writeMessages } from './prompt.ts';
import { locateQuotes } from './quotes.ts';

export interface SecondOpinions {
  /** One of the answer codes within the timeout. Throws TransientError if `signal` aborts, and nothing else. */
  ask(claim: ClaimText, pages: readonly Page[], signal: AbortSignal): Promise<SecondOpinion>;
}

/** Scores are probabilities; at exactly the margin it is still near. */
export function isNearThreshold(score: number, threshold: number, margin: number): boolean {
  return Math.abs(score - threshold) <= margin + Number.EPSILON;
}

export function createSecondOpinions(
  settings: ChatSettings,
  dependencies: { budget: Budget; log: Logger },
): SecondOpinions {
  const chat = createChat(settings, dependencies.budget);
  return {
    async ask(claim, pages, signal) {
      const answered = await within(settings.timeoutMs, signal, (stop) => judge(chat, claim, pages, stop));
      if ('evidence' in answered) return answered;
      const { code, detail, cause } = answered;
      const level = code === 'over_budget' ? 'debug' : 'warn'; // said once a claim until midnight
      dependencies.log[level]({ code, detail, model: settings.model, err: cause }, 'no second opinion');
      return { answer: code, model: settings.model, evidence: [] };
    },
  };
}

interface Unanswered {
  code: 'timeout' | 'over_budget' | 'failed' | 'malformed';
  /** For a maintainer; holds nothing that a server or a page wrote. */
  detail: string;
  cause?: unknown;
}

async function judge(
  chat: Chat,
  claim: ClaimText,
  pages: readonly Page[],
  stop: AbortSignal,
): Promise<SecondOpinion | Unanswered> {
  const shown = choosePassages(claim, pages);
  const outcome = await chat.complete(writeMessages(claim, shown), answerSchema(), stop);
  if (outcome.kind === 'none') return outcome;
  const answer = parseAnswer(outcome.content);
  if (answer === null) return { code: 'malformed', detail: 'not the JSON that was asked for' };
  const evidence = locateQuotes(answer.quotes, shown, pages);
  return { answer: answer.verdict, model: outcome.model, evidence };
}

/** The 12 that share most with the claim, in the order in which a reader would come to them. */
function choosePassages({ antecedent = '', text }: ClaimText, pages: readonly Page[]): Passage[] {
  const { passages } = select(findTerms(`${antecedent} ${text}`), pages.map(readPage));
  const placeOf = ({ url }: Passage) => pages.findIndex((page) => page.url === url);
  return passages.map(({ passage }) => passage).sort((a, b) => placeOf(a) - placeOf(b) || a.start - b.start);
}

/**
 * Also where what is waited for hears no signal, like a Redis that is away. A timer of its own: Node may collect
 * AbortSignal.any over AbortSignal.timeout before it fires (nodejs/node#57736).
 */
async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T | Unanswered> {
  if (signal.aborted) throw stoppedByCaller();
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener('abort', abort);
  try {
    const outcome = await Promise.race([stopped, work(stop.signal).catch(toFailure)]);
    if (signal.aborted) throw stoppedByCaller();
    return outcome === undefined || stop.signal.aborted ? { code: 'timeout', detail: `${timeoutMs} ms` } : outcome;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function stoppedByCaller(): TransientError {
  return new TransientError('stopped while a second opinion was asked for');
}

/** Nothing of the server's comes here: only a budget that can't be asked, or an error of our own. */
function toFailure(cause: unknown): Unanswered {
  return { code: 'failed', detail: 'could not be asked', cause };
}
