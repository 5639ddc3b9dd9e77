import { writtenAnswer } from '../../access/may-read.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { formatId } from '../../ids/type-id.js';
import { draftEtag } from './draft-etag.js';
import { type Draft, presentDraft } from './draft-presenter.js';

/** The answer to a change of a draft. `headers` are added to its ETag. */
export function draftAnswer(caller: Caller, draft: Draft, headers: Readonly<Record<string, string>> = {}): JsonText {
  const written = { area: 'content', id: formatId('ent', draft.id), typeId: draft.typeId } as const;
  return writtenAnswer(caller, written, () => presentDraft(draft), { ETag: draftEtag(draft.number), ...headers });
}
