import { Problem } from '../../errors/problem.js';

/** The version of an entry, and the number of its draft, when a schedule was set. */
export interface ScheduledState {
  entryVersion: number;
  draftNumber: number;
}

/** What somebody who may not publish made last: the version of the entry and the number of the draft. Null if there is none. */
interface Unapproved {
  unapprovedVersion: number | null;
  unapprovedNumber: number | null;
}

/** Throws a 409 if somebody who may not publish has changed the entry or its draft since the schedule was set. */
export function assertUnchangedSince(
  { entryVersion, draftNumber }: ScheduledState,
  { unapprovedVersion, unapprovedNumber }: Unapproved,
): void {
  if ((unapprovedVersion ?? 0) <= entryVersion && (unapprovedNumber ?? 0) <= draftNumber) return;
  throw new Problem(
    'conflict',
    'The draft was changed after the schedule was set, by somebody who may not publish. Look at it, and set the schedule again.',
  );
}
