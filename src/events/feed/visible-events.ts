import { parseId } from '../../ids/type-id.js';
import { areaOfEvent } from '../../modules/installed-modules.js';

/** Enough of the data for the IDs that it begins with. */
export const HEAD_LENGTH = 200;

/** A content type itself, or something that belongs to one: `content_type_id` stands before all values of clients. */
const CONTENT_TYPE = /^\{(?:"id":"(ct_[0-9a-z]{26})"|(?:"\w+":"\w+",)*?"content_type_id":"(ct_[0-9a-z]{26})")/;

/**
 * Whether a key that sees only these content types (UUIDs; undefined: all) sees the event. `data` is its JSON, or the beginning. An event of
 * content that names no content type is not shown.
 */
export function isVisible(
  types: ReadonlySet<string> | undefined,
  { type, data }: { type: string; data: string },
): boolean {
  if (!types || areaOfEvent(type) !== 'content') return true;
  const [, own, parent] = CONTENT_TYPE.exec(data) ?? [];
  const id = own ?? parent;
  return id !== undefined && types.has(parseId('ct', id) ?? '');
}
