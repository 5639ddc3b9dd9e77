import type { SubmissionQuery } from '../../../api/submissions';

/** A part of the inbox. What is done is out of the way, and spam apart from both. */
export interface Box {
  readonly id: string;
  readonly name: string;
  readonly query: SubmissionQuery;
  /** What to say when it is empty. */
  readonly empty: string;
}

export const BOXES: readonly Box[] = [
  { id: 'new', name: 'New', query: { state: 'new,read' }, empty: 'Nothing is waiting for an answer.' },
  { id: 'done', name: 'Done', query: { state: 'done' }, empty: 'What you mark as done is kept here.' },
  {
    id: 'spam',
    name: 'Spam',
    query: { verdict: 'spam' },
    empty: 'What looks like spam is kept here, and is sent to nobody.',
  },
];
