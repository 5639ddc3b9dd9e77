import { validateSync } from 'class-validator';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { NAMES } from '../../fields/definitions/definitions.js';
import { shorten } from '../../fields/formats/text.js';
import { isRecord } from '../../fields/record.js';
import { replaceUnstorableSliced } from '../../http/bodies/storable-values.js';
import { newUuid, parseId, timeOf, uuidAt } from '../../ids/type-id.js';
import { assertLinesOfJson, parseLine, textOf } from '../../lists/exchange/line-text.js';
import type { StreamedRecord } from '../../lists/exchange/record-splitter.js';
import { isBlank } from '../../validation/blank.js';
import { suggestionOrList } from '../../validation/suggestion.js';
import { type State, STATES, UpdateSubmissionDto } from '../inbox/inbox.dto.js';
import { SPAM_REASONS } from '../spam/spam-checks.js';

/** Characters of the values of a submission as JSON. A visitor can send as much. */
const MAX_VALUES = 256 * 1024;
const MAX_NAMES = 600;
const MAX_SHORT = 255;
const KNOWN = ['id', 'fields', 'created_at', 'verdict', 'reasons', 'state', 'note', 'origin', 'locale'];
/** What an export has besides. The names of files are values; the files themselves come beside the line. */
const IGNORED = new Set(['form_id', 'files']);

/** A submission to import. Its values are strings, which need not fit the fields of today: fields may have changed since it was sent. */
export interface ImportedSubmission {
  id: string;
  values: Readonly<Record<string, string>>;
  isSpam: boolean;
  reasons: readonly string[];
  /** Null: `new`. */
  state: State | null;
  note: string | null;
  origin: string | null;
  locale: string | null;
}

/** Reads a line, in steps. Returns undefined for a line that is not a submission. Throws the problem of a bad line. */
export function* readSubmission(record: StreamedRecord): SlicedWork<ImportedSubmission | undefined> {
  if (record.line === 1) assertLinesOfJson(record);
  const text = textOf(record, 'malformed_json');
  if (isBlank(text)) return undefined;
  const sent = yield* parseLine(text);
  if (!isRecord(sent)) throw new Problem('malformed_json', 'The line must be a JSON object.');
  // The last line of an export.
  if (sent['done'] === true && sent['fields'] === undefined) return undefined;
  const errors = yield* replaceUnstorableSliced(sent);
  const checked = { ...checkId(sent, errors), values: valuesOf(sent['fields'], errors), ...checkRest(sent, errors) };
  if (errors.length > 0) throw Problem.invalid(errors);
  return checked;
}

function checkId({ id, created_at: createdAt }: Record<string, unknown>, errors: ValueError[]): { id: string } {
  const add = (path: string, message: string) => errors.push({ path, code: 'format', message: `${path} ${message}` });
  if (id !== undefined && id !== null) {
    const uuid = typeof id === 'string' ? parseId('sub', id) : undefined;
    if (uuid !== undefined && isMade(uuid)) return { id: uuid };
    add('id', 'must be the ID of a submission, with a time that is not in the future.');
  } else if (createdAt !== undefined && createdAt !== null) {
    const time = typeof createdAt === 'string' ? new Date(createdAt).getTime() : NaN;
    if (time >= 0 && time <= Date.now()) return { id: uuidAt(time) };
    add('created_at', 'must be a time after 1970 that is not in the future.');
  }
  return { id: newUuid() };
}

/** Whether it is a UUID that the service could have made. */
function isMade(uuid: string): boolean {
  return /^.{14}7.{4}[89ab]/.test(uuid) && timeOf(uuid).getTime() <= Date.now();
}

function valuesOf(fields: unknown, errors: ValueError[]): Record<string, string> {
  if (!isRecord(fields)) {
    const code = fields === undefined ? 'required' : 'type';
    errors.push({ path: 'fields', code, message: 'fields must be an object.' });
    return {};
  }
  const values = Object.entries(fields);
  if (values.length > MAX_NAMES) {
    errors.push({ path: 'fields', code: 'too_many', message: `fields must have at most ${MAX_NAMES} values.` });
    return {};
  }
  const { pattern, reserved } = NAMES.form;
  for (const [name, value] of values) {
    const path = `fields.${shorten(name)}`;
    if (!pattern.test(name) || reserved.includes(name)) {
      errors.push({ path, code: 'unknown_property', message: `${shorten(name)} is not the name of a field.` });
    } else if (typeof value !== 'string') {
      errors.push({ path, code: 'type', message: `${shorten(name)} must be a string.` });
    }
  }
  if (JSON.stringify(fields).length > MAX_VALUES) {
    const message = `fields must have at most ${MAX_VALUES} characters when written as JSON.`;
    errors.push({ path: 'fields', code: 'too_long', message });
  }
  return fields as Record<string, string>;
}

function checkRest(sent: Record<string, unknown>, errors: ValueError[]) {
  const unknown = Object.keys(sent).filter((name) => !KNOWN.includes(name) && !IGNORED.has(name));
  for (const name of unknown.slice(0, MAX_NAMES)) {
    const hint = suggestionOrList(name, KNOWN);
    const message = `${shorten(name)} is not a known property.${hint}`;
    errors.push({ path: shorten(name), code: 'unknown_property', message });
  }
  const { verdict = 'ok', reasons = [], state = 'new', note = null, origin = null, locale = null } = sent;
  const must = (isRight: boolean, path: string, what: string) => {
    if (!isRight) errors.push({ path, code: 'format', message: `${path} must be ${what}.` });
  };
  must(verdict === 'ok' || verdict === 'spam', 'verdict', 'ok or spam');
  const isReasons = Array.isArray(reasons) && reasons.length <= SPAM_REASONS.length && reasons.every(isReason);
  must(isReasons && (verdict === 'ok' || reasons.length > 0), 'reasons', 'a list of the reasons for which it was spam');
  must((STATES as readonly unknown[]).includes(state), 'state', `one of ${STATES.join(', ')}`);
  must(isNote(note), 'note', 'a note, as for an update, or null');
  must(isShort(origin) && (origin === null || /^https?:\/\/[^/]+$/.test(origin)), 'origin', 'an origin or null');
  must(isShort(locale) && (locale === null || /^[A-Za-z0-9-]+$/.test(locale)), 'locale', 'a language tag or null');
  return {
    isSpam: verdict === 'spam',
    reasons: reasons as string[],
    state: state === 'new' ? null : (state as State),
    note: note as string | null,
    origin: origin as string | null,
    locale: locale as string | null,
  };
}

function isReason(value: unknown): boolean {
  return (SPAM_REASONS as readonly unknown[]).includes(value);
}

function isNote(note: unknown): boolean {
  return validateSync(Object.assign(new UpdateSubmissionDto(), { note })).length === 0;
}

function isShort(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= MAX_SHORT);
}
