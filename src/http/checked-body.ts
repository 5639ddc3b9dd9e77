import 'reflect-metadata';
import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { readJson } from './json-body.js';
import { checkText } from './text-check.js';

/** Checks one property's value and everything below it; the errors' paths begin with `path`. */
type Check = (value: unknown, path: string) => ValueError[];

const CHECKS = Symbol('checks');

/** For a property whose value is a structure of its own (field definitions, field values): checked by `check`, not by a DTO. */
export function CheckedBy(check: Check): PropertyDecorator {
  return (target, property) => {
    const checks = (Reflect.getMetadata(CHECKS, target) as Map<string, Check> | undefined) ?? new Map<string, Check>();
    Reflect.defineMetadata(CHECKS, new Map(checks).set(String(property), check), target);
  };
}

/** For `@ValidateIf` on an optional property: null is a value like any other wrong one, not the same as not sent. */
export function sent(_body: object, value: unknown): boolean {
  return value !== undefined;
}

const ONE_MIB = 1024 * 1024;
/** So many unknown properties are listed; a person reads no more. */
const MAX_UNKNOWN = 100;

/** A body whose DTO part was checked, for a handler that checks more: it answers `errors` together with its own. */
export interface Checked<Dto> {
  dto: Dto;
  errors: ValueError[];
}

/**
 * The parameter that takes the JSON body: read after the guards let the request in, checked against the DTO, described in the API's
 * document. 400 malformed or not an object, 413 over `maxBytes`, 415 not JSON, 422 with the path of each wrong value.
 */
export function JsonBody<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, ({ dto, errors }) => {
    if (errors.length > 0) throw Problem.invalid(errors);
    return dto;
  });
}

/** The same for a body that holds values of a schema: the parameter is `Checked<Dto>`, and nothing is answered yet. */
export function JsonBodyWithValues<Dto extends object>(dto: Type<Dto>, maxBytes = ONE_MIB): ParameterDecorator {
  return bodyParameter(dto, maxBytes, (checked) => checked);
}

function bodyParameter<Dto extends object>(
  dto: Type<Dto>,
  maxBytes: number,
  finish: (checked: Checked<Dto>) => unknown,
): ParameterDecorator {
  const read = createParamDecorator(async (_data: unknown, context: ExecutionContext) => {
    const http = context.switchToHttp();
    return finish(checkBody(dto, await readJson(http.getRequest<Request>(), http.getResponse<Response>(), maxBytes)));
  })();
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    ApiBody({ type: dto })(target, method, descriptor);
    ProblemResponses(
      'malformed_json',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
    )(target, method, descriptor);
  };
}

/** The body as an instance of the DTO, and all that is wrong with it. Text that nothing could store is refused at once. */
export function checkBody<Dto extends object>(dto: Type<Dto>, body: Record<string, unknown>): Checked<Dto> {
  const textErrors = checkText(body);
  if (textErrors.length > 0) throw Problem.invalid(textErrors);

  // Only the plain values go through class-transformer: it would copy a structure, and follow what a client put into it. What the
  // DTO doesn't know (`__proto__`, `constructor`, thousands of names) goes nowhere.
  const known = propertiesOf(dto);
  const plain: Record<string, unknown> = {};
  const structures: [string, unknown][] = [];
  const errors: ValueError[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!known.has(name)) errors.push(unknownProperty(name));
    else if (value !== null && typeof value === 'object') structures.push([name, value]);
    else plain[name] = value;
  }
  errors.splice(MAX_UNKNOWN);
  const instance = plainToInstance(dto, plain);
  for (const [name, value] of structures) {
    Object.defineProperty(instance, name, { value, enumerable: true, writable: true, configurable: true });
  }

  const checks = Reflect.getMetadata(CHECKS, dto.prototype as object) as Map<string, Check> | undefined;
  errors.push(...validateSync(instance).flatMap(valueErrors));
  for (const [name, check] of checks ?? []) {
    const value = (instance as Record<string, unknown>)[name];
    if (value !== undefined && !errors.some(({ path }) => path === name)) errors.push(...check(value, name));
  }
  return { dto: instance, errors };
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
