import { formatId } from '../../ids/type-id.js';
import type { ShownDraft } from './draft-values.js';

/** A draft as the API shows it. */
interface PresentedDraft extends ShownDraft {
  id: string;
  typeId: string;
  baseVersion: number;
  createdAt: string;
  updatedAt: string;
}

/** A draft with the number of its ETag. */
export interface Draft extends PresentedDraft {
  number: number;
}

/** What `presentDraft` shows that no request can set. */
export function readOnlyDraft({ id, typeId, changed, baseVersion, createdAt, updatedAt }: PresentedDraft): object {
  return {
    id: formatId('ent', id),
    content_type_id: formatId('ct', typeId),
    changed,
    base_version: baseVersion,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Returns the JSON of a draft. The JSON of its fields is passed through unchanged. */
export function presentDraft({
  id,
  typeId,
  fields,
  changed,
  baseVersion,
  createdAt,
  updatedAt,
}: PresentedDraft): string {
  const ids = `"id":"${formatId('ent', id)}","content_type_id":"${formatId('ct', typeId)}"`;
  const times = `"created_at":"${createdAt}","updated_at":"${updatedAt}"`;
  return `{${ids},"fields":${fields},"changed":${JSON.stringify(changed)},"base_version":${baseVersion},${times}}`;
}
