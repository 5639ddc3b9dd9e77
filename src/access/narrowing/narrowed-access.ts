import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { formatId } from '../../ids/type-id.js';
import type { AccessRule } from '../access.js';
import type { Credential } from '../usable-key.js';
import { ContentTypeNames, type Narrowing } from './narrowing.js';
import { lacksScope, otherType } from '../scope-problems.js';

/** The path parameter that names a content type. */
const TYPE_PARAMETER = 'content_type_id';

/** Admits requests with keys that are limited to content types. Other keys never come here. */
@Injectable()
export class NarrowedAccess {
  constructor(private readonly modules: ModuleRef) {}

  /** The caller of a key or a member, for what they may read now and is shown to them without a request of theirs. */
  async readerOf({ caller, narrowing }: Credential): Promise<Caller> {
    if (!narrowing) return caller;
    const ids = await this.find(caller.tenantId, narrowing.readable);
    return { ...caller, readTypes: new Set(ids.values()) };
  }

  private find(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.modules.get(ContentTypeNames, { strict: false }).find(tenantId, [...new Set(names)]);
  }

  /**
   * Sets `types`, `readTypes`, `writeTypes` and `visibleTypes` of the caller. A slug in the path is replaced with the ID that it leads to now, so that the handler cannot
   * find another content type under it. Throws a 403 unless the rule allows the request, or allows it for these content types.
   */
  async admit(
    request: Pick<Request, 'params' | 'caller'>,
    rule: AccessRule,
    caller: Caller,
    narrowing: Narrowing,
  ): Promise<boolean> {
    const { scopes = [] } = rule;
    const isWide = scopes.some((scope) => caller.scopes.has(scope));
    const names = isWide ? undefined : scopes.flatMap((scope) => narrowing.types.get(scope) ?? []);
    if (names?.length === 0) throw lacksScope(scopes, caller.scopes);
    const name = names ? request.params[TYPE_PARAMETER] : undefined;
    if (names && name === undefined && !rule.keepsToTypes) throw otherType(caller.scopes);
    const path = narrowing.visible ? request.params[TYPE_PARAMETER] : name;
    const all = [
      ...(names ?? []),
      ...narrowing.readable,
      ...narrowing.writable,
      ...(narrowing.visible ?? []),
      ...(typeof path === 'string' ? [path] : []),
    ];
    const ids = await this.find(caller.tenantId, all);
    const idsOf = (some: readonly string[]) => new Set(some.flatMap((one) => ids.get(one) ?? []));
    const types = names && idsOf(names);
    if (types && typeof name === 'string') {
      const id = ids.get(name);
      if (id === undefined || !types.has(id)) throw otherType(caller.scopes);
      request.params[TYPE_PARAMETER] = formatId('ct', id);
    }
    // The 404 of the handler would suggest slugs that the key does not see.
    if (isWide && typeof path === 'string' && !ids.has(path)) throw Problem.notFound('content type');
    const [readTypes, writeTypes] = [idsOf(narrowing.readable), idsOf(narrowing.writable)];
    const visibleTypes = narrowing.visible && idsOf(narrowing.visible);
    request.caller = { ...caller, types, readTypes, writeTypes, visibleTypes };
    return true;
  }
}
