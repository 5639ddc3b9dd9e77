import { formatId } from '../../ids/type-id.js';
import { ownNames } from '../../fields/localized/localized-names.js';
import { defaultJson } from '../locales/shown-json.js';
import type { ReviewColumns } from './drafts.sql.js';
import type { ShownDraft } from './draft-values.js';

/** A review that was asked for. `by` is absent if its author has no name. */
interface Review {
  by?: string;
  at: string;
  note?: string;
}

/** A draft as the API shows it. `fields` and `changed` have stored names, unless it was put into a locale. */
export interface PresentedDraft extends ShownDraft {
  id: string;
  typeId: string;
  baseVersion: number;
  createdAt: string;
  updatedAt: string;
  review?: Review;
  /** What it has besides because of its locale, as JSON members after commas. */
  more?: string;
}

/** The review in the columns of a row. */
export function reviewOf({ reviewBy, reviewAt, reviewNote }: ReviewColumns): { review?: Review } {
  if (reviewAt === null) return {};
  return {
    review: {
      ...(reviewBy !== null && { by: reviewBy }),
      at: reviewAt,
      ...(reviewNote !== null && { note: reviewNote }),
    },
  };
}

/** A draft with the number of its ETag. */
export interface Draft extends PresentedDraft {
  number: number;
}

/** What `presentDraft` shows that no request can set. */
export function readOnlyDraft({
  id,
  typeId,
  changed,
  baseVersion,
  createdAt,
  updatedAt,
  review,
}: PresentedDraft): object {
  return {
    id: formatId('ent', id),
    content_type_id: formatId('ct', typeId),
    changed: ownNames(changed),
    base_version: baseVersion,
    created_at: createdAt,
    updated_at: updatedAt,
    ...(review && { review }),
  };
}

/** Returns the JSON of a draft: of one that was put into no locale, in the default one. */
export function presentDraft({
  id,
  typeId,
  fields,
  changed,
  baseVersion,
  createdAt,
  updatedAt,
  review,
  more = '',
}: PresentedDraft): string {
  const ids = `"id":"${formatId('ent', id)}","content_type_id":"${formatId('ct', typeId)}"`;
  const times = `"created_at":"${createdAt}","updated_at":"${updatedAt}"`;
  const asked = review ? `,"review":${JSON.stringify(review)}` : '';
  const names = JSON.stringify(ownNames(changed));
  return `{${ids},"fields":${defaultJson(fields)},"changed":${names},"base_version":${baseVersion},${times}${asked}${more}}`;
}
