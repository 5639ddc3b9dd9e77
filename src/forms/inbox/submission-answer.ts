import { writtenAnswer } from '../../access/may-read.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { formatId } from '../../ids/type-id.js';

/** The answer to a change of a submission: its full view, if the caller may read it. */
export function submissionAnswer(caller: Caller, submissionId: string, full: string): JsonText {
  return writtenAnswer(caller, { area: 'forms', id: formatId('sub', submissionId) }, () => full);
}
