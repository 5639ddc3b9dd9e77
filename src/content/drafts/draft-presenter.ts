import { formatId } from '../../ids/type-id.js';
import type { ShownDraft } from './draft-values.js';

/** A draft of an entry as the API shows it; `number` is in its ETag. */
export interface Draft extends ShownDraft {
  id: string;
  typeId: string;
  number: number;
  baseVersion: number;
  createdAt: string;
  updatedAt: string;
}

/** Returns the JSON of a draft. The JSON of its fields is passed through unchanged. */
export function presentDraft({ id, typeId, fields, changed, baseVersion, createdAt, updatedAt }: Draft): string {
  const ids = `"id":"${formatId('ent', id)}","content_type_id":"${formatId('ct', typeId)}"`;
  const times = `"created_at":"${createdAt}","updated_at":"${updatedAt}"`;
  return `{${ids},"fields":${fields},"changed":${JSON.stringify(changed)},"base_version":${baseVersion},${times}}`;
}
