import 'reflect-metadata';
import type { PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { heavyWork, isHeavy } from '../admission/heavy-work.js';
import { runNow, type Steps } from '../admission/steps.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { parseBody } from './json-body.js';
import { findUnstorableSteps } from './storable-values.js';

/** So many unknown properties are listed; a person reads no more. */
const MAX_UNKNOWN = 100;

/** Of which body a value is a part. */
export interface BodyOfValue {
  /** Whose turns the work on it takes: the tenant's, or those of strangers to the tenant. */
  turn: string;
  /** The body is so large that work on it has to take turns. */
  isHeavy: boolean;
}

/** Checks one property's value and everything below it; the errors' paths begin with `path`. */
type ValueCheck = (value: unknown, path: string, body: BodyOfValue) => ValueError[] | Promise<ValueError[]>;

const CHECKS = Symbol('checks');

/** For a property whose value is a structure of its own (field definitions, field values): checked by `check`, not by a DTO. */
export function CheckedBy(check: ValueCheck): PropertyDecorator {
  return (target, property) => {
    const checks =
      (Reflect.getMetadata(CHECKS, target) as Map<string, ValueCheck> | undefined) ?? new Map<string, ValueCheck>();
    Reflect.defineMetadata(CHECKS, new Map(checks).set(String(property), check), target);
  };
}

/** A body whose DTO part was checked, for a handler that checks more: it answers `errors` together with its own. */
export interface Checked<Dto> extends BodyOfValue {
  dto: Dto;
  errors: ValueError[];
}

/** The text of a JSON body. */
export interface UncheckedBody extends Pick<BodyOfValue, 'turn'> {
  text: string;
}

/**
 * Parses a JSON body and checks it against a DTO. 400 for a body that is not a JSON object, 422 with the path of each wrong value.
 * `with errors` returns `Checked<Dto>` instead of throwing 422, for a handler that checks more and reports all errors together.
 */
export class DtoPipe<Dto extends object> implements PipeTransform<UncheckedBody, Promise<Dto | Checked<Dto>>> {
  constructor(
    private readonly dto: Type<Dto>,
    private readonly result: 'valid' | 'with errors' = 'valid',
  ) {}

  async transform({ text, turn }: UncheckedBody): Promise<Dto | Checked<Dto>> {
    const body = { turn, isHeavy: isHeavy(text.length) };
    const steps = checkBody(this.dto, text);
    const { instance, errors } = body.isHeavy ? await heavyWork.run(turn, steps) : runNow(steps);
    const checks = checksOf(this.dto);
    if (checks) await checkStructures(instance, errors, checks, body);
    if (this.result === 'with errors') return { dto: instance, errors, ...body };
    if (errors.length > 0) throw Problem.invalid(errors);
    return instance;
  }
}

/** The body as an instance of the DTO, and all that is wrong with it. Text that nothing could store is refused at once. */
function* checkBody<Dto extends object>(dto: Type<Dto>, text: string): Steps<{ instance: Dto; errors: ValueError[] }> {
  const body = yield* parseBody(text);
  const textErrors = yield* findUnstorableSteps(body);
  if (textErrors.length > 0) throw Problem.invalid(textErrors);

  // Only the plain values go through class-transformer: it would copy a structure, and follow what a client put into it. What the
  // DTO doesn't know (`__proto__`, `constructor`, thousands of names) goes nowhere.
  const known = propertiesOf(dto);
  const plain: Record<string, unknown> = {};
  const structures: [string, unknown][] = [];
  const errors: ValueError[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!known.has(name)) {
      if (errors.length < MAX_UNKNOWN) errors.push(unknownProperty(name));
    } else if (value !== null && typeof value === 'object') structures.push([name, value]);
    else plain[name] = value;
  }
  const instance = plainToInstance(dto, plain);
  for (const [name, value] of structures) {
    Object.defineProperty(instance, name, { value, enumerable: true, writable: true, configurable: true });
  }
  errors.push(...validateSync(instance).flatMap(valueErrors));
  return { instance, errors };
}

function checksOf(dto: Type): ReadonlyMap<string, ValueCheck> | undefined {
  return Reflect.getMetadata(CHECKS, dto.prototype as object) as Map<string, ValueCheck> | undefined;
}

/** Adds the errors of the properties that have a check of their own, unless they have one already. */
async function checkStructures(
  instance: object,
  errors: ValueError[],
  checks: ReadonlyMap<string, ValueCheck>,
  body: BodyOfValue,
): Promise<void> {
  for (const [name, check] of checks) {
    const value = (instance as Record<string, unknown>)[name];
    if (value === undefined || errors.some(({ path }) => path === name)) continue;
    errors.push(...(await check(value, name, body)));
  }
}

/** Every property of a DTO has a validator, if only `@Allow()`. */
function propertiesOf(dto: Type): ReadonlySet<string> {
  const validators = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Set(validators.map(({ propertyName }) => propertyName));
}

/** The codes of class-validator's constraints that have one of ours; any other keeps its own name. */
const CODES: Record<string, string> = {
  isDefined: 'required',
  isString: 'type',
  isObject: 'type',
  isArray: 'type',
  isBoolean: 'type',
  isIn: 'options',
  isLength: 'length',
  maxLength: 'length',
  arrayMinSize: 'length',
  arrayUnique: 'duplicate',
  matches: 'format',
  isEmail: 'format',
  isIso8601: 'format',
};

/** Of each value the most basic fault only: what is missing or of the wrong type needs no further words. */
const PRECEDENCE = ['isDefined', 'isString', 'isObject', 'isArray', 'isBoolean'];

function valueErrors({ property, constraints = {} }: ValidationError): ValueError[] {
  const names = Object.keys(constraints);
  const name = PRECEDENCE.find((basic) => names.includes(basic)) ?? names[0];
  if (name === undefined) return [];
  return [{ path: property, code: CODES[name] ?? name, message: `${constraints[name]}.` }];
}

function unknownProperty(name: string): ValueError {
  const path = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return { path, code: 'unknown_property', message: `${path} is not a known property.` };
}
