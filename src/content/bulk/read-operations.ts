import type { ValueError } from '../../errors/problem.js';
import { listed, suggestion } from '../../validation/suggestion.js';
import { Problem } from '../../errors/problem.js';
import { parseIdOrSlug } from '../../ids/id-or-slug.js';
import { parseId } from '../../ids/type-id.js';
import { readIfMatch } from '../../http/responses/etag.js';
import { readOnlyOf, setByService } from '../../http/bodies/read-only.js';
import { CreateEntryDto, UpdateEntryDto } from '../entries/entries.dto.js';
import { type BulkOperation, OPERATIONS } from './operation.js';

export const MAX_OPERATIONS = 1_000;
const MAX_REF = 255;
/** At most this many unknown properties of an operation are listed. */
const MAX_UNKNOWN = 100;
/** Longer names are cut in messages. */
const SHOWN = 100;

/** Paths of what finds the content type and the entry of an operation. */
const FINDING = /^(?:content_type|entry_id|key|if_match)(?:\.|$)/;

type Op = BulkOperation['op'];
type Sent = Readonly<Record<string, unknown>>;

/** The properties that each operation may have. */
const PROPERTIES: Record<Op, readonly string[]> = {
  create: ['op', 'content_type', 'ref', 'fields', 'locale', 'status'],
  upsert: ['op', 'content_type', 'ref', 'key', 'fields', 'locale', 'status'],
  update: ['op', 'content_type', 'entry_id', 'fields', 'locale', 'status', 'if_match'],
  delete: ['op', 'content_type', 'entry_id', 'if_match'],
};

/** The bodies of the single requests. */
const DTOS = { create: CreateEntryDto, update: UpdateEntryDto };

/** Checks the list, and what must be known to read each operation. `readOperations` reports the errors of an operation with it. */
export function checkOperations(value: unknown, path: string): ValueError[] {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list.` }];
  if (value.length > MAX_OPERATIONS) {
    return [{ path, code: 'too_long', message: `${path} must have at most ${MAX_OPERATIONS} operations.` }];
  }
  return value.flatMap((one: unknown, index): ValueError[] => {
    const place = `${path}.${index}`;
    if (!isObject(one)) return [{ path: place, code: 'type', message: `${place} must be an object.` }];
    if (isOp(one['op'])) return [];
    const code = one['op'] === undefined ? 'required' : 'options';
    return [{ path: `${place}.op`, code, message: `op must be one of ${listed(OPERATIONS)}.` }];
  });
}

/**
 * Reads operations. `found` has errors of the body by the indexes of their operations, with paths inside these. An operation in which
 * `checkOperations` found errors becomes one that fails with them.
 */
export function readOperations(
  sent: readonly unknown[],
  found: ReadonlyMap<number, readonly ValueError[]>,
): BulkOperation[] {
  const refs = new Set<string>();
  return sent.map((one, index) => {
    const errors = found.get(index) ?? [];
    if (!isObject(one) || !isOp(one['op']))
      return { op: 'create', typeName: undefined, fatal: [...errors], errors: [] };
    const operation = readOperation(one, one['op'], refs);
    for (const error of errors) (FINDING.test(error.path) ? operation.fatal : operation.errors).push(error);
    return operation;
  });
}

function readOperation(sent: Sent, op: Op, refs: Set<string>): BulkOperation {
  const fatal: ValueError[] = [];
  const errors: ValueError[] = [];
  const operation: BulkOperation = { op, typeName: undefined, fatal, errors };
  const known = PROPERTIES[op];
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  for (const name of unknown) {
    const readOnly = op === 'update' || op === 'create' ? readOnlyOf(DTOS[op], name) : undefined;
    if (readOnly === 'sent back') operation.sentBack = { ...operation.sentBack, [name]: sent[name] };
    else if (errors.length < MAX_UNKNOWN) errors.push(readOnly ? setByService(name) : unknownProperty(name, known));
  }

  const type = text(sent, 'content_type', fatal);
  if (type !== undefined) operation.typeName = parseIdOrSlug('ct', type);
  if (known.includes('entry_id')) {
    const id = text(sent, 'entry_id', fatal);
    if (id !== undefined) operation.entryId = parseId('ent', id);
  }
  if (op === 'upsert') operation.key = readKey(sent['key'], fatal);
  if (known.includes('ref') && sent['ref'] !== undefined) operation.ref = readRef(sent['ref'], refs, errors);
  if (known.includes('fields') && sent['fields'] !== undefined) operation.fields = sent['fields'];
  else if (op === 'create') errors.push({ path: 'fields', code: 'required', message: 'fields is required.' });
  const { status } = sent;
  if (status === 'draft' || status === 'published') operation.status = status;
  else if (known.includes('status') && status !== undefined) {
    errors.push({ path: 'status', code: 'options', message: 'status must be draft or published.' });
  }
  const locale = known.includes('locale') ? readLocaleOf(sent['locale'], errors) : undefined;
  if (locale !== undefined) operation.locale = locale;
  if (known.includes('if_match')) readPrecondition(sent['if_match'], operation);
  return operation;
}

function text(sent: Sent, name: string, errors: ValueError[]): string | undefined {
  const value = sent[name];
  if (typeof value === 'string') return value;
  if (value === undefined) errors.push({ path: name, code: 'required', message: `${name} is required.` });
  else errors.push({ path: name, code: 'type', message: `${name} must be a string.` });
  return undefined;
}

/** Reads the locale of an operation or a line. Whether there is such a locale is checked with its type. */
export function readLocaleOf(value: unknown, errors: ValueError[]): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  errors.push({ path: 'locale', code: 'type', message: 'locale must be a string.' });
  return undefined;
}

function readKey(key: unknown, errors: ValueError[]): BulkOperation['key'] {
  const [name, ...others] = isObject(key) ? Object.keys(key) : [];
  if (isObject(key) && name !== undefined && others.length === 0) return { field: name, value: key[name] };
  const code = key === undefined ? 'required' : 'type';
  errors.push({ path: 'key', code, message: 'key must be an object with exactly one unique field and its value.' });
  return undefined;
}

function readRef(ref: unknown, refs: Set<string>, errors: ValueError[]): string | undefined {
  if (typeof ref !== 'string' || ref === '' || ref.length > MAX_REF) {
    errors.push({ path: 'ref', code: 'type', message: `ref must be a string of 1 to ${MAX_REF} characters.` });
    return undefined;
  }
  if (refs.has(ref)) {
    errors.push({ path: 'ref', code: 'duplicate', message: 'An earlier operation has the same ref.' });
    return undefined;
  }
  refs.add(ref);
  return ref;
}

function readPrecondition(value: unknown, operation: BulkOperation): void {
  if (value === undefined) return;
  if (typeof value !== 'string') {
    operation.fatal.push({ path: 'if_match', code: 'type', message: 'if_match must be a string.' });
    return;
  }
  try {
    operation.precondition = readIfMatch(value);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    const message = 'if_match must be * or an ETag with its quotation marks, such as "\\"v3\\"".';
    operation.fatal.push({ path: 'if_match', code: 'format', message });
  }
}

function unknownProperty(name: string, known: readonly string[]): ValueError {
  const path = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  const hint = suggestion(name, [...known]) || ` The properties are ${listed([...known])}.`;
  return { path, code: 'unknown_property', message: `${path} is not a known property.${hint}` };
}

function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The `op` that an operation was sent with; null if there is no such one. */
export function opOf(sent: unknown): Op | null {
  return isObject(sent) && isOp(sent['op']) ? sent['op'] : null;
}

function isOp(value: unknown): value is Op {
  return OPERATIONS.includes(value as Op);
}
