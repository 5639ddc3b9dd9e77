import { Injectable } from '@nestjs/common';
import { configuredKeys } from '../access/configured-keys.js';
import { allowsLocales } from '../access/locale-rights.js';
import { lacksScope } from '../access/scope-problems.js';
import { hashOfSecret, newSecretText } from '../access/secrets/secret-text.js';
import type { ConfiguredKey } from '../access/usable-key.js';
import { type AuditedAction, recordChanges } from '../audit/record-changes.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { afterCommit } from '../database/unit-of-work.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { formatId, newUuid, parseId, timeOf } from '../ids/type-id.js';
import { canonicalLocales } from '../validation/locales.js';
import { BEGIN_ACCESS_CHANGE } from './access-changes.sql.js';
import { AccessWatch } from './access-watch.js';
import { presentConfiguredKey, presentKey } from './key-presenter.js';
import { KeyScopes } from './key-scopes.js';
import type { CreatedKeyDto, CreateKeyDto, KeyDto } from './keys.dto.js';
import {
  ADOPT_KEY,
  COUNT_KEYS,
  DELETE_EXPIRED,
  GET_MAKER,
  HAS_MEMBER,
  INSERT_KEY,
  type KeyRow,
  LIST_KEYS,
  LIST_USES,
  REVOKE,
} from './keys.sql.js';
import { KeyCache } from './key-cache.js';

/** Keys that were made over the API, of a tenant. Their list is not paginated, and every process holds them in memory. */
const MAX_KEYS = 1_000;

/** The key that makes another one: what the other one inherits. */
type Maker = Pick<KeyRow, 'root' | 'memberId' | 'expiresAt'>;

/** Lists, makes and revokes keys. `KeyCache` has those that requests use. */
@Injectable()
export class KeysService {
  private readonly configured: ReadonlyMap<string, readonly ConfiguredKey[]>;

  constructor(
    { tenants }: Config,
    private readonly database: Database,
    private readonly scopes: KeyScopes,
    private readonly known: KeyCache,
    private readonly watch: AccessWatch,
  ) {
    this.configured = new Map(tenants.map((tenant) => [tenant.id, configuredKeys(tenant)]));
  }

  /** Lists the keys that the caller could have made, and itself. */
  async list(caller: Caller): Promise<KeyDto[]> {
    const { tenantId } = caller;
    const rows = await this.database.query(tenantId, LIST_KEYS, {});
    const uses = new Map(
      (await this.database.query(tenantId, LIST_USES, {})).map(({ id, lastUsedAt }) => [id, lastUsedAt]),
    );
    const roots = this.rootsOf(tenantId);
    const keys = [
      ...rows
        .filter(({ root }) => root === null || roots.includes(root))
        .map((row) => presentKey(row, uses.get(row.id) ?? null)),
      ...this.configuredOf(tenantId).map((key) => presentConfiguredKey(key, uses.get(key.id) ?? null)),
    ];
    const isWithin = await this.scopes.within(
      caller,
      keys.map(({ scopes }) => scopes),
    );
    return keys.filter(
      (key) => key.id === caller.actorId || (isWithin(key.scopes) && allowsLocales(caller.locales, key)),
    );
  }

  /**
   * Throws a 422 if the body is invalid, a 403 if a scope or a locale is not within those of the caller, a 409 if the tenant has too many keys, and a
   * 401 if the caller's key was revoked meanwhile.
   */
  async create(caller: Caller, { dto, errors }: CheckedBody<CreateKeyDto>): Promise<CreatedKeyDto> {
    const { tenantId } = caller;
    const scopes = await this.scopes.check(caller, dto.scopes, errors);
    const locales = dto.locales ? canonicalLocales(dto.locales) : null;
    if (!allowsLocales(caller.locales, { scopes, locales })) throw otherLocales(caller);
    const key = newSecretText('tvk_');
    const id = newUuid();
    const row = await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, BEGIN_ACCESS_CHANGE, {});
      await transaction.query(tenantId, DELETE_EXPIRED, {});
      const { makerId, ...maker } = await this.makerOf(transaction, caller);
      const [count] = await transaction.query(tenantId, COUNT_KEYS, { roots: this.rootsOf(tenantId) });
      if ((count?.total ?? 0) >= MAX_KEYS) throw tooMany();
      const { createdAt, expiresAt } = timesOf(id, dto.expires_in, maker.expiresAt);
      const made = {
        id,
        name: dto.name,
        scopes,
        locales,
        createdBy: makerId,
        root: maker.root,
        memberId: maker.memberId,
        createdAt,
        expiresAt,
      };
      await transaction.query(tenantId, INSERT_KEY, { ...made, hash: hashOfSecret(key) });
      await recordChanges(transaction, tenantId, caller, [changeOf('created', id)]);
      return made;
    });
    await afterCommit(() => this.watch.changed());
    return { ...presentKey(row, null), key };
  }

  /**
   * Returns how many other keys were revoked with it. Throws a 404 if the caller sees no such key, and a 409 for one of the configuration.
   */
  async revoke(caller: Caller, id: string): Promise<{ others: number }> {
    const { tenantId } = caller;
    await this.listed(caller, id);
    if (this.configuredOf(tenantId).some((key) => key.id === id)) throw isConfigured();
    const revoked = await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, BEGIN_ACCESS_CHANGE, {});
      const rows = await transaction.query(tenantId, REVOKE, { id });
      if (rows.length === 0) throw Problem.notFound('key');
      const changes = rows.map((row) => changeOf('revoked', row.id));
      await recordChanges(transaction, tenantId, caller, changes);
      return rows.map((row) => row.id);
    });
    await afterCommit(async () => {
      this.known.forget(tenantId, revoked);
      await this.watch.changed();
    });
    return { others: revoked.length - 1 };
  }

  /**
   * Makes the caller the maker of a key, with which it ends from then on. Throws a 403 unless the caller may do everything, a 404 if there is no
   * such key, and a 409 for a key of the configuration, or one that made the caller's key.
   */
  async adopt(caller: Caller, id: string): Promise<KeyDto> {
    const { tenantId } = caller;
    if (!caller.scopes.has('*')) throw lacksScope(['*'], caller.scopes);
    if (this.configuredOf(tenantId).some((key) => key.id === id)) throw isConfigured();
    await this.listed(caller, id);
    await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, BEGIN_ACCESS_CHANGE, {});
      if ((await transaction.query(tenantId, GET_MAKER, { id })).length === 0) throw Problem.notFound('key');
      const { makerId: createdBy, ...maker } = await this.makerOf(transaction, caller);
      const adopted = await transaction.query(tenantId, ADOPT_KEY, { id, createdBy, ...maker });
      if (adopted.length === 0) throw new Problem('conflict', 'A key cannot adopt the key that made it.');
      await recordChanges(transaction, tenantId, caller, [changeOf('adopted', id)]);
    });
    await afterCommit(() => this.watch.changed());
    return this.listed(caller, id);
  }

  /** Throws a 404 if the caller sees no such key. Keys keep their scopes and locales, and what a key made has no more than it. */
  private async listed(caller: Caller, id: string): Promise<KeyDto> {
    const key = (await this.list(caller)).find((one) => one.id === formatId('key', id));
    if (!key) throw Problem.notFound('key');
    return key;
  }

  /** What a new key of the caller inherits. Throws a 401 if the caller's key was revoked meanwhile. */
  private async makerOf(
    transaction: Transaction,
    { tenantId, actorId = '' }: Caller,
  ): Promise<Maker & { makerId: string }> {
    const memberId = parseId('usr', actorId);
    if (memberId !== undefined) {
      const found = await transaction.query(tenantId, HAS_MEMBER, { id: memberId });
      if (found.length === 0) throw Problem.notSignedIn('The membership has ended.');
      return { makerId: memberId, root: null, memberId, expiresAt: null };
    }
    const makerId = parseId('key', actorId) ?? '';
    const configured = this.configuredOf(tenantId).find(({ id }) => id === makerId);
    if (configured) return { makerId, root: configured.fingerprint, memberId: null, expiresAt: null };
    return { makerId, ...(await issuedMaker(transaction, tenantId, makerId)) };
  }

  private configuredOf(tenantId: string): readonly ConfiguredKey[] {
    return this.configured.get(tenantId) ?? [];
  }

  private rootsOf(tenantId: string): string[] {
    return this.configuredOf(tenantId).map(({ fingerprint }) => fingerprint);
  }
}

function changeOf(action: 'created' | 'revoked' | 'adopted', id: string): AuditedAction {
  return { action, resource: { type: 'key', id: formatId('key', id) } };
}

/** A key that was revoked after its request was admitted makes no other key. */
async function issuedMaker(transaction: Transaction, tenantId: string, id: string): Promise<Maker> {
  const [maker] = await transaction.query(tenantId, GET_MAKER, { id });
  if (!maker)
    throw new Problem('unauthorized', 'This API key was revoked.', undefined, { 'WWW-Authenticate': 'Bearer' });
  return maker;
}

/** A key lives no longer than its maker. */
function timesOf(id: string, seconds: number | undefined, maker: string | null) {
  const createdAt = timeOf(id);
  const own = seconds === undefined ? Infinity : createdAt.getTime() + seconds * 1000;
  const end = Math.min(own, maker === null ? Infinity : Date.parse(maker));
  return { createdAt: createdAt.toISOString(), expiresAt: end === Infinity ? null : new Date(end).toISOString() };
}

function otherLocales({ locales = new Set() }: Caller): Problem {
  const own = locales.size === 0 ? 'none' : `only ${[...locales].join(', ')}`;
  return new Problem('forbidden', `A key can only be given locales that its maker may change, who has ${own}.`);
}

function tooMany(): Problem {
  const max = MAX_KEYS.toLocaleString('en');
  return new Problem(
    'conflict',
    `The tenant has ${max} keys that were made over the API. Revoke those that are not needed.`,
  );
}

function isConfigured(): Problem {
  return new Problem(
    'conflict',
    'This key is part of the configuration of the service, and can be removed only there.',
  );
}
