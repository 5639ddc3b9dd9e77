import { JsonText } from '../http/http-adapter.js';
import type { ListMeta } from './newest-first.js';

/** The answer of a list whose records are JSON text already. */
export function listText(records: readonly string[], meta: ListMeta): JsonText {
  return new JsonText(`{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`);
}
