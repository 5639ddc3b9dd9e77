import { isBlank } from '../validation/blank.js';
import { Findings } from './check.js';
import { countCodePoints } from './text.js';
import { ON_DELETE } from './field-definition.js';
import type { ValueErrorCode } from '../errors/value-errors.js';

/** The context for checking an attribute of a definition: its path, and what `min` and `max` limit for the type. */
export interface AttributeCheck {
  name: string;
  path: string;
  measures: 'value' | 'length' | undefined;
  findings: Findings;
  /** The error of each pattern in the list, by its source; undefined if it is valid. */
  patternFaults: ReadonlyMap<string, string | undefined>;
}

export const MAX_PATTERN = 1_000;
/** Only in an update of a content type: the name that the field had before. It is not stored. */
export const RENAMED_FROM = 'renamed_from';
const MAX_NAME = 64;
export const MAX_LABEL = 255;
const MAX_HELP = 1_000;
const MAX_OPTIONS = 500;
const MAX_OPTION = 255;
const MAX_CONTENT_TYPE = 100;
export const MAX_ACCEPTED = 50;
// A media type (RFC 6838); each of its names has at most 64 characters. A star stands for every name.
export const ACCEPTED =
  /^(?:\*\/\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}\/(?:\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}))$/;
/** Each reference is looked up in each of the content types. */
export const MAX_CONTENT_TYPES = 20;

/** The check of each attribute's value, except for `name`, `type` and `default`, which need the whole definition. */
export const ATTRIBUTES: ReadonlyMap<string, (value: unknown, check: AttributeCheck) => void> = new Map(
  Object.entries({
    required: checkBoolean,
    min: checkBound,
    max: checkBound,
    pattern: checkPattern,
    unique: checkBoolean,
    options: checkOptions,
    html: checkBoolean,
    multiple: checkBoolean,
    label: checkString(MAX_LABEL),
    help: checkString(MAX_HELP),
    content_type: checkContentType,
    content_types: checkContentTypes,
    [RENAMED_FROM]: checkString(MAX_NAME),
    on_delete: checkOnDelete,
    max_bytes: checkMaxBytes,
    accept: checkAccept,
  }),
);

function fault({ name, path, findings }: AttributeCheck, code: ValueErrorCode, predicate: string): void {
  findings.add(path, code, `${name} ${predicate}.`);
}

function checkBoolean(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'boolean') fault(check, 'type', 'must be a boolean');
}

function checkBound(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return fault(check, 'type', 'must be a number');
  if (check.measures === 'length' && !(Number.isSafeInteger(value) && value >= 0)) {
    fault(check, 'format', `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER} because it limits a length`);
  }
}

function checkPattern(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'string') return fault(check, 'type', 'must be a string');
  if (value.length > MAX_PATTERN) return fault(check, 'too_long', `must have at most ${MAX_PATTERN} characters`);
  const reason = check.patternFaults.get(value);
  if (reason !== undefined) fault(check, 'pattern', reason);
}

function checkOptions(value: unknown, check: AttributeCheck): void {
  if (!Array.isArray(value)) return fault(check, 'type', 'must be a list of strings');
  if (value.length < 1 || value.length > MAX_OPTIONS) {
    return fault(check, 'length', `must have between 1 and ${MAX_OPTIONS} values`);
  }
  const seen = new Set<unknown>();
  value.forEach((option: unknown, index) => {
    checkOption(option, seen, { ...check, name: `option ${index + 1}`, path: `${check.path}.${index}` });
    seen.add(option);
  });
}

function checkOption(option: unknown, seen: ReadonlySet<unknown>, check: AttributeCheck): void {
  if (typeof option !== 'string') return fault(check, 'type', 'must be a string');
  if (isBlank(option)) return fault(check, 'required', 'must not be blank');
  if (isLonger(option, MAX_OPTION)) return fault(check, 'too_long', `must have at most ${MAX_OPTION} characters`);
  if (seen.has(option)) fault(check, 'duplicate', 'repeats an earlier option');
}

function checkString(max: number): (value: unknown, check: AttributeCheck) => void {
  return (value, check) => {
    if (typeof value !== 'string') return fault(check, 'type', 'must be a string');
    if (isLonger(value, max)) fault(check, 'too_long', `must have at most ${max} characters`);
  };
}

function checkContentType(value: unknown, check: AttributeCheck): void {
  checkString(MAX_CONTENT_TYPE)(value, check);
  if (value === '') fault(check, 'required', 'must not be empty');
}

function checkContentTypes(value: unknown, check: AttributeCheck): void {
  if (!Array.isArray(value)) return fault(check, 'type', 'must be a list of strings');
  if (value.length < 1 || value.length > MAX_CONTENT_TYPES) {
    return fault(check, 'length', `must have between 1 and ${MAX_CONTENT_TYPES} values`);
  }
  const names = value as unknown[];
  for (const [index, name] of names.entries()) {
    const element = { ...check, name: `content type ${index + 1}`, path: `${check.path}.${index}` };
    checkContentType(name, element);
    if (names.indexOf(name) < index) fault(element, 'duplicate', 'repeats an earlier content type');
  }
}

function checkOnDelete(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'string') return fault(check, 'type', 'must be a string');
  if (!(ON_DELETE as readonly string[]).includes(value)) {
    fault(check, 'unsupported', `must be one of ${ON_DELETE.join(', ')}`);
  }
}

function checkMaxBytes(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'number') return fault(check, 'type', 'must be an integer');
  if (!Number.isSafeInteger(value) || value < 1)
    fault(check, 'format', `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`);
}

function checkAccept(value: unknown, check: AttributeCheck): void {
  if (!Array.isArray(value)) return fault(check, 'type', 'must be a list of media types');
  if (value.length < 1 || value.length > MAX_ACCEPTED) {
    return fault(check, 'length', `must have between 1 and ${MAX_ACCEPTED} values`);
  }
  const types = value as unknown[];
  for (const [index, type] of types.entries()) {
    const element = { ...check, name: `media type ${index + 1}`, path: `${check.path}.${index}` };
    if (typeof type !== 'string') fault(element, 'type', 'must be a string');
    else if (!ACCEPTED.test(type)) fault(element, 'format', 'must be a media type such as image/png or image/*');
    else if (types.indexOf(type) < index) fault(element, 'duplicate', 'repeats an earlier media type');
  }
}

function isLonger(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}
