/** An edit in the panel: what can be done for a finding, its preview, and how it went. */
import { button, element, link, text } from './dom.ts';
import { failureText, kindsFor, kindText, saveText } from './editing.ts';
import type { Messages } from './messages.ts';
import { previewOf } from './preview.ts';
import { editOf, type Row } from './state.ts';
import type { View } from './view.ts';

export interface Editing {
  /** In place of the evidence; [] where nothing is to be looked at. */
  preview: readonly Node[];
  foot: readonly Node[];
}

export function editingOf(view: View, row: Row): Editing {
  const { state, msg, act, urls } = view;
  const edit = editOf(state, row.id);
  if (edit.step === 'saved') {
    const { revision } = edit;
    return {
      preview: [],
      foot: revision === null ? [] : [element('p', '', [link(urls.change(revision), msg('edit-see-change'))])],
    };
  }
  if (edit.step !== 'preview' && edit.step !== 'saving') return { preview: [], foot: choicesOf(view, row) };
  const isSaving = edit.step === 'saving';
  const label = saveText(edit.step === 'preview' ? edit.failure : null, msg);
  const save = button(
    label,
    'sidelight-button sidelight-primary',
    'save',
    () => isSaving || act.save(summaryField.read()),
  );
  save.setAttribute('aria-disabled', String(isSaving)); // not `disabled`: it would lose the focus
  const back = button(msg('edit-back'), 'sidelight-button', 'back', () => isSaving || act.back());
  const { proposal } = edit;
  const name = text('p', msg('edit-your-name'), 'sidelight-hint');
  return {
    preview: [text('h3', msg('edit-preview')), ...previewOf(proposal, msg), summaryField.draw(proposal.summary, msg)],
    foot: [save, back, name],
  };
}

function choicesOf({ state, msg, act, config }: View, row: Row): Node[] {
  if (config === null) return [];
  const edit = editOf(state, row.id);
  const isBusy = edit.step === 'preparing';
  return kindsFor(row, config).map((kind, i) => {
    const weight = i === 0 ? ' sidelight-primary' : '';
    const choose = () => isBusy || act.prepare(row.id, kind);
    const choice = button(kindText(kind, msg), `sidelight-button${weight}`, `edit-${kind}-${row.id}`, choose);
    choice.setAttribute('aria-disabled', String(isBusy));
    return choice;
  });
}

export function editStatus({ state, msg }: View, row: Row): string {
  const edit = editOf(state, row.id);
  switch (edit.step) {
    case 'idle':
      return '';
    case 'preparing':
      return msg('edit-preparing');
    case 'preview':
      return edit.failure === null ? '' : failureText(edit.failure, msg);
    case 'saving':
      return msg('edit-saving');
    case 'saved':
      return msg(edit.revision === null ? 'edit-unchanged' : 'edit-saved');
    case 'failed':
      return failureText(edit.failure, msg);
  }
}

/** The only field to write in. */
export const summaryField = {
  draw(summary: string, msg: Messages): HTMLElement {
    const field = document.createElement('input');
    field.id = 'sidelight-summary';
    field.maxLength = 500;
    field.setAttribute('value', summary);
    field.setAttribute('data-sidelight', 'summary');
    const label = text('label', msg('edit-summary'));
    label.setAttribute('for', field.id);
    return element('p', 'sidelight-field', [label, field]);
  },
  read(): string {
    const field = document.getElementById('sidelight-summary');
    return field instanceof HTMLInputElement ? field.value : '';
  },
};
