import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { runAtOnce } from '../../admission/sliced-work.js';
import type { ValueError } from '../../errors/problem.js';
import { isSameSliced } from '../../json/is-same-sliced.js';

/** Properties of a body that its DTO does not have, but the responses with the resource do. */
export type SentBack = Readonly<Record<string, unknown>>;

interface Rule {
  responses: () => readonly Type[];
  isUpdate: boolean;
}

const RULE = Symbol('read-only properties');
/** Where `@nestjs/swagger` keeps the names of a class's properties, inherited ones included. */
const DOCUMENTED = 'swagger/apiModelPropertiesArray';

/**
 * For the DTO of an update: what else the responses with the resource have is read-only. A client may send it back as it is. The service
 * refuses other values with `changedReadOnly`.
 */
export function UpdateOf(responses: () => readonly Type[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(RULE, { responses, isUpdate: true } satisfies Rule, target);
}

/** For the DTO of a creation: what else the responses with the resource have is set by the service, and refused. */
export function CreationOf(responses: () => readonly Type[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(RULE, { responses, isUpdate: false } satisfies Rule, target);
}

const names = new Map<Type, ReadonlySet<string>>();

/** Whether a property that the DTO does not have is read-only, and whether it may be sent back. */
export function readOnlyOf(dto: Type, name: string): 'sent back' | 'refused' | undefined {
  const rule = Reflect.getMetadata(RULE, dto) as Rule | undefined;
  if (!rule) return undefined;
  let known = names.get(dto);
  if (!known) names.set(dto, (known = new Set(rule.responses().flatMap(propertiesOf))));
  if (!known.has(name)) return undefined;
  return rule.isUpdate ? 'sent back' : 'refused';
}

function propertiesOf({ prototype }: Type): string[] {
  const documented = Reflect.getMetadata(DOCUMENTED, prototype as object) as string[] | undefined;
  return (documented ?? []).map((name) => name.slice(1));
}

/** By the object of the DTO, so that no handler has to pass them on. Most bodies have none. */
const sentBack = new WeakMap<object, SentBack>();

export function noteSentBack(dto: object, properties: SentBack): void {
  sentBack.set(dto, properties);
}

/**
 * Returns an error for each read-only property of the body that differs from what is stored. `stored` returns the resource as responses show
 * it; it is called only if there are such properties.
 */
export function changedReadOnly(dto: object, stored: () => object): ValueError[] {
  const sent = sentBack.get(dto);
  return sent ? differing(sent, stored()) : [];
}

/** Same as `changedReadOnly`, if `stored` must look something up. */
export async function changedReadOnlyOf(dto: object, stored: () => Promise<object>): Promise<ValueError[]> {
  const sent = sentBack.get(dto);
  return sent ? differing(sent, await stored()) : [];
}

export function differing(sent: SentBack, stored: object): ValueError[] {
  const values = stored as SentBack;
  return Object.entries(sent).flatMap(([path, value]) => {
    const isSame = Object.hasOwn(values, path) && runAtOnce(isSameSliced(value, values[path]));
    return isSame ? [] : [readOnlyError(path, 'leave it out, or send the value that the resource has')];
  });
}

/** The error of a property that a creation cannot set. */
export function setByService(path: string): ValueError {
  return readOnlyError(path, 'the service sets it', ' in a creation');
}

function readOnlyError(path: string, advice: string, where = ''): ValueError {
  return { path, code: 'unknown_property', message: `${path} is read-only${where}: ${advice}.` };
}
