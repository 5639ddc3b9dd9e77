import 'reflect-metadata';
import type { PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';
import { isRecord } from '../../fields/record.js';
import { propertiesOf } from '../../validation/properties-of.js';
import { suggestionOrList } from '../../validation/suggestion.js';
import { parseBody } from './json-body.js';
import { noteSentBack, readOnlyOf, setByService } from './read-only.js';
import { replaceUnstorableSliced } from './storable-values.js';

/** At most this many unknown properties are listed. */
const MAX_UNKNOWN = 100;

/** The body that a value is part of. */
export interface BodyOfValue {
  /** The key under which heavy work takes turns: the tenant's ID, or its `publicKey` for a request without an API key. */
  queueKey: string;
  /** The body is so large that work on it must take turns. */
  isHeavy: boolean;
}

/** Checks the value of one property and everything inside it. The paths of the errors start with `path`. */
type ValueCheck = (value: unknown, path: string, body: BodyOfValue) => ValueError[] | Promise<ValueError[]>;

const CHECKS = Symbol('checks');

/** For a property that holds a nested structure (field definitions, field values): `check` validates it instead of a DTO. */
export function CheckedBy(check: ValueCheck): PropertyDecorator {
  return (target, property) => {
    const checks =
      (Reflect.getMetadata(CHECKS, target) as Map<string, ValueCheck> | undefined) ?? new Map<string, ValueCheck>();
    Reflect.defineMetadata(CHECKS, new Map(checks).set(String(property), check), target);
  };
}

/** A body whose DTO was checked, for a handler that checks more and reports `errors` together with its own. */
export interface CheckedBody<Dto> extends BodyOfValue {
  dto: Dto;
  errors: ValueError[];
}

/** The text of a JSON body. */
export interface UncheckedBody extends Pick<BodyOfValue, 'queueKey'> {
  text: string;
}

/**
 * Parses a JSON body and checks it against a DTO. Throws 400 if it is not a JSON object, and 422 with the path of each invalid value.
 * `with errors` returns `Checked<Dto>` instead of throwing 422, for a handler that checks more and reports all errors together.
 */
export class DtoPipe<Dto extends object> implements PipeTransform<UncheckedBody, Promise<Dto | CheckedBody<Dto>>> {
  constructor(
    private readonly dto: Type<Dto>,
    private readonly result: 'valid' | 'with errors' = 'valid',
  ) {}

  async transform({ text, queueKey }: UncheckedBody): Promise<Dto | CheckedBody<Dto>> {
    const body = { queueKey, isHeavy: isHeavy(text.length) };
    const steps = checkBody(this.dto, text);
    const { instance, errors: own, unstorable } = await heavyWork.runIf(body.isHeavy, queueKey, steps);
    const checks = checksOf(this.dto);
    if (checks) await checkStructures(instance, own, checks, { ...body, prefix: '' });
    const errors = [...unstorable, ...own];
    if (this.result === 'with errors') return { dto: instance, errors, ...body };
    if (errors.length > 0) throw Problem.invalid(errors);
    return instance;
  }
}

/** Returns the body as an instance of the DTO, its errors, and those of values that cannot be stored, for which it has others. */
function* checkBody<Dto extends object>(
  dto: Type<Dto>,
  text: string,
): SlicedWork<{ instance: Dto; errors: ValueError[]; unstorable: ValueError[] }> {
  const body = yield* parseBody(text);
  const unstorable = yield* replaceUnstorableSliced(body);

  // Only scalar values go through class-transformer: it would copy a structure, and follow what a client put into it. Properties that
  // the DTO does not know (`__proto__`, `constructor`, thousands of names) are not copied at all.
  const known = propertiesOf(dto);
  const plain: Record<string, unknown> = {};
  const structures: [string, unknown][] = [];
  let sentBack: Record<string, unknown> | undefined;
  const errors: ValueError[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!known.has(name)) {
      const readOnly = readOnlyOf(dto, name);
      if (readOnly === 'sent back') (sentBack ??= {})[name] = value;
      else if (errors.length < MAX_UNKNOWN) errors.push(readOnly ? setByService(name) : unknownProperty(name, known));
    } else if (value !== null && typeof value === 'object') structures.push([name, value]);
    else plain[name] = value;
  }
  const instance = plainToInstance(dto, plain);
  if (sentBack) noteSentBack(instance, sentBack);
  for (const [name, value] of structures) {
    Object.defineProperty(instance, name, { value, enumerable: true, writable: true, configurable: true });
  }
  errors.push(...validateSync(instance).flatMap(valueErrors));
  return { instance, errors, unstorable };
}

function checksOf(dto: Type): ReadonlyMap<string, ValueCheck> | undefined {
  return Reflect.getMetadata(CHECKS, dto.prototype as object) as Map<string, ValueCheck> | undefined;
}

/** Adds the errors of the properties with `CheckedBy`, unless a property already has an error. */
async function checkStructures(
  instance: object,
  errors: ValueError[],
  checks: ReadonlyMap<string, ValueCheck>,
  { prefix, ...body }: BodyOfValue & { prefix: string },
): Promise<void> {
  for (const [name, check] of checks) {
    const value = (instance as Record<string, unknown>)[name];
    const at = prefix + name;
    if (value === undefined || errors.some(({ path }) => path === at)) continue;
    errors.push(...(await check(value, at, body)));
  }
}

/**
 * Checks an object inside a body against a DTO, for use with `CheckedBy`. The messages of the DTO's validators follow the path of the value:
 * `must be a string`; with `isBody`, they are whole sentences, as for a body. `nullable`: null is allowed for every property.
 */
export async function checkObject<Dto extends object>(
  dto: Type<Dto>,
  value: unknown,
  path: string,
  { nullable = false, isBody = false, ...body }: BodyOfValue & { nullable?: boolean; isBody?: boolean },
): Promise<ValueError[]> {
  if (!isRecord(value)) return [{ path, code: 'type', message: `${path} must be an object.` }];
  const known = propertiesOf(dto);
  const instance = Object.create(dto.prototype as object) as Record<string, unknown>;
  const errors: ValueError[] = [];
  for (const [name, property] of Object.entries(value)) {
    if (known.has(name)) instance[name] = nullable && property === null ? undefined : property;
    else if (errors.length < MAX_UNKNOWN) errors.push(unknownProperty(name, known, `${path}.`));
  }
  for (const error of validateSync(instance).flatMap(valueErrors)) {
    const at = `${path}.${error.path}`;
    errors.push({ path: at, code: error.code, message: isBody ? error.message : `${at} ${error.message}` });
  }
  const checks = checksOf(dto);
  if (checks) await checkStructures(instance, errors, checks, { ...body, prefix: `${path}.` });
  return errors;
}

/** Checks a list of `min` to `max` items inside a body, for use with `CheckedBy`. `check` returns the errors of an item. */
export async function checkItems(
  value: unknown,
  path: string,
  { min = 1, max }: { min?: number; max: number },
  check: (item: unknown, path: string) => ValueError[] | Promise<ValueError[]>,
): Promise<ValueError[]> {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list.` }];
  if (value.length < min || value.length > max) {
    return [{ path, code: 'length', message: `${path} must have ${min} to ${max} items.` }];
  }
  const errors: ValueError[] = [];
  for (const [index, item] of value.entries()) errors.push(...(await check(item, `${path}.${index}`)));
  return errors;
}

/** Maps constraints of class-validator to error codes. */
const CODES: Partial<Record<string, ValueErrorCode>> = {
  isDefined: 'required',
  isString: 'type',
  isObject: 'type',
  isArray: 'type',
  isBoolean: 'type',
  isInt: 'type',
  isIn: 'options',
  isLength: 'length',
  maxLength: 'length',
  arrayMinSize: 'length',
  arrayMaxSize: 'length',
  uniqueItems: 'duplicate',
  matches: 'format',
  isEmail: 'format',
  isIso8601: 'format',
  min: 'min',
  max: 'max',
};

/** Report only the most basic error of each value: a missing value or a wrong type makes the others pointless. */
const PRECEDENCE = ['isDefined', 'isString', 'isObject', 'isArray', 'isBoolean', 'isInt'];

function valueErrors({ property, constraints = {} }: ValidationError): ValueError[] {
  const names = Object.keys(constraints);
  const name = PRECEDENCE.find((basic) => names.includes(basic)) ?? names[0];
  if (name === undefined) return [];
  return [{ path: property, code: codeOf(name), message: `${constraints[name]}.` }];
}

/** The names of constraints are not part of the API. One that an extension adds says which format a text has. */
function codeOf(constraint: string): ValueErrorCode {
  return CODES[constraint] ?? 'format';
}

function unknownProperty(name: string, known: ReadonlySet<string>, prefix = ''): ValueError {
  const path = prefix + (name.length > 100 ? `${name.slice(0, 100)}…` : name);
  return {
    path,
    code: 'unknown_property',
    message: `${path} is not a known property.${suggestionOrList(name, [...known])}`,
  };
}
