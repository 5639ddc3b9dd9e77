import type { Entry } from '../../../api/entries';
import type { Draft } from '../../../api/entry';
import type { Conflict } from './merge';

/** Whether what the form shows is saved. */
export type Saving =
  | { readonly is: 'untouched' | 'saved' | 'saving' }
  | {
      readonly is: 'failed';
      /** Which value is not valid: `Title is too long`. */
      readonly summary?: string;
      /** Why, if it is not about a value. */
      readonly message?: string;
    };

/** Fields that somebody else changed too. */
export interface Question {
  readonly conflicts: readonly Conflict[];
  /** Takes the keys of the conflicts in which their values are chosen; undefined if the person does not decide now. */
  readonly answer: (theirs: ReadonlySet<string> | undefined) => void;
}

/** Text that is not in the form, and can be put there again. */
export interface Offer {
  readonly why: 'kept' | 'discarded';
  readonly at: string;
  readonly restore: () => void;
  readonly discard: () => void;
}

export interface EditorState {
  /** The entry as it is live; undefined before it is created. */
  readonly entry: Entry | undefined;
  readonly draft: Draft | undefined;
  readonly saving: Saving;
  readonly question?: Question | undefined;
  readonly offer?: Offer | undefined;
  /** What an action failed with, apart from values. */
  readonly problem?: unknown;
  /** The field that the person is led to. Another object each time. */
  readonly led?: { readonly path: string } | undefined;
}

/** Whether something would be lost with the page, but for what the browser keeps. */
export function isUnsaved({ saving }: EditorState): boolean {
  return saving.is === 'saving' || saving.is === 'failed';
}
