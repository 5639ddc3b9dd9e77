import { Injectable } from '@nestjs/common';
import { ContentTypeNames } from '../access/narrowing/narrowing.js';
import { conflictOf, covers, isScope, readNarrowedScope } from '../config/scopes.js';
import { Problem, type ValueError } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import { keyScopes } from '../modules/installed-modules.js';

/** Checks the scopes of keys and roles that are made over the API. */
@Injectable()
export class KeyScopes {
  constructor(private readonly types: ContentTypeNames) {}

  /**
   * Returns the scopes, in which content types are named by their IDs. Throws a 422 with `errors` and an error for each scope that is unknown,
   * and a 403 if a scope is not within those of the caller. A caller that is limited to content types does not learn which others exist.
   */
  async check(
    caller: Caller,
    sent: unknown,
    errors: readonly ValueError[],
    receiver: 'key' | 'role' = 'key',
  ): Promise<string[]> {
    const scopes = errors.some(({ path }) => path.startsWith('scopes')) ? [] : (sent as string[]);
    const wrong = [...errors, ...unknownAmong(scopes)];
    const ids = await this.existing(caller, scopes);
    scopes.forEach((scope, index) => {
      const { type } = readNarrowedScope(scope) ?? {};
      if (type === undefined || ids.has(type) || caller.visibleTypes) return;
      wrong.push({ path: `scopes.${index}`, code: 'reference', message: 'There is no such content type.' });
    });
    const conflict = conflictOf(scopes);
    if (conflict) wrong.push({ path: 'scopes', code: 'scopes', message: `scopes ${conflict}.` });
    if (wrong.length > 0) throw Problem.invalid(wrong);

    const own = await this.own(caller);
    const beyond = scopes.filter((scope) => !withIds([scope], ids).some((named) => covers(own, named)));
    if (beyond.length > 0) throw tooWide(receiver, beyond, caller.scopes);
    return [...new Set(withIds(scopes, ids))];
  }

  /**
   * Returns whether all that a key with the scopes may do is allowed to the caller too. Such keys, which the caller could have made, are those
   * that it sees and revokes.
   */
  async within(caller: Caller, all: readonly (readonly string[])[]): Promise<(scopes: readonly string[]) => boolean> {
    if (caller.scopes.has('*')) return () => true;
    const own = await this.own(caller);
    const ids = await this.types.find(caller.tenantId, [...new Set(all.flatMap(typesIn))]);
    // The content type of a scope may not exist.
    return (scopes) => scopes.every((scope) => withIds([scope], ids).some((named) => covers(own, named)));
  }

  /** Returns the scopes of the caller, in which content types are named by their IDs. */
  async own({ tenantId, scopes }: Caller): Promise<ReadonlySet<string>> {
    return new Set(withIds(scopes, await this.types.find(tenantId, typesIn(scopes))));
  }

  /** Content types of which the caller sees nothing do not exist for it. */
  private async existing({ tenantId, visibleTypes }: Caller, scopes: readonly string[]) {
    const found = await this.types.existing(tenantId, typesIn(scopes));
    return new Map([...found].filter(([, id]) => visibleTypes?.has(id) ?? true));
  }
}

function unknownAmong(scopes: readonly string[]): ValueError[] {
  const known = keyScopes();
  const message = `must be one of ${known.join(', ')}, or content:read@<slug> and others like it`;
  return scopes.flatMap((scope, index) =>
    isScope(scope, known) ? [] : [{ path: `scopes.${index}`, code: 'scope', message: `scopes.${index} ${message}.` }],
  );
}

function typesIn(scopes: Iterable<string>): string[] {
  return [...new Set([...scopes].flatMap((scope) => readNarrowedScope(scope)?.type ?? []))];
}

/** Names content types by their public IDs. Leaves out scopes whose content type is not among `ids`. */
function withIds(scopes: Iterable<string>, ids: ReadonlyMap<string, string>): string[] {
  return [...scopes].flatMap((text) => {
    const narrowed = readNarrowedScope(text);
    if (!narrowed) return text;
    const id = ids.get(narrowed.type);
    return id === undefined ? [] : `${narrowed.scope}@${formatId('ct', id)}`;
  });
}

function tooWide(receiver: 'key' | 'role', beyond: readonly string[], own: ReadonlySet<string>): Problem {
  const rule =
    receiver === 'key'
      ? `A key can only be given scopes of the key that makes it, which lacks ${beyond.join(', ')}. It has only`
      : `A role can only be given scopes that its maker has, who lacks ${beyond.join(', ')} and has only`;
  return new Problem('forbidden', `${rule} ${[...own].join(', ')}.`);
}
