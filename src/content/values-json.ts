import type { SlicedWork } from '../admission/sliced-work.js';
import { markPath, markWritten } from '../fields/formats/media-url.js';
import type { Schema } from '../fields/schema.js';
import { stringifySliced } from '../json/stringify-sliced.js';
import { mapLeaves } from './map-leaves.js';

type Values = Record<string, unknown>;

/** Returns the values of an entry as JSON, as it is stored and passed to responses: with marks at the paths of files. */
export function* valuesJson(schema: Schema, values: Values, isHeavy = true): SlicedWork<string> {
  const marked = yield* markMedia(schema, values);
  const json = isHeavy ? yield* stringifySliced(marked) : JSON.stringify(marked);
  return marked === values ? json : markWritten(json);
}

/** Returns the values for JSON that `markWritten` completes. Without media fields, they are the same. */
export function* markMedia(schema: Schema, values: Values): SlicedWork<Values> {
  return schema.hasMedia ? ((yield* mapLeaves(schema, 'media', values, (value) => markPath(value))) as Values) : values;
}
