import type { SlicedWork } from '../admission/sliced-work.js';
import { markPath, markWritten } from '../fields/formats/media-url.js';
import { LOCALE_STATE } from '../fields/localized/localized-names.js';
import { localeStateOf, withoutLocaleState } from '../fields/localized/locale-state.js';
import type { Schema } from '../fields/schema.js';
import { stringifySliced } from '../json/stringify-sliced.js';
import { mapLeaves } from './map-leaves.js';

type Values = Record<string, unknown>;

/**
 * Returns the values of an entry as JSON, as it is stored and passed to responses: with marks at the paths of files. Of a type with localized
 * fields, the state of the locales comes first, by which responses know that they must not show it as it is.
 */
export function* valuesJson(schema: Schema, all: Values, isHeavy = true): SlicedWork<string> {
  const values = schema.isLocalized ? { [LOCALE_STATE]: localeStateOf(all), ...all } : withoutState(all);
  const marked = yield* markMedia(schema, values);
  const json = isHeavy ? yield* stringifySliced(marked) : JSON.stringify(marked);
  return marked === values ? json : markWritten(json);
}

/** The state may be left of fields that were localized. */
function withoutState(values: Values): Values {
  if (!Object.hasOwn(values, LOCALE_STATE)) return values;
  return withoutLocaleState(values);
}

/** Returns the values for JSON that `markWritten` completes. Without media fields, they are the same. */
export function* markMedia(schema: Schema, values: Values): SlicedWork<Values> {
  return schema.hasMedia ? ((yield* mapLeaves(schema, 'media', values, (value) => markPath(value))) as Values) : values;
}
