import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../access/api-keys.js';
import { hashOfSecret, isSecret } from '../../access/secrets/secret-text.js';
import { type Entrance, Sessions } from '../../access/sessions.js';
import { type Credential, credentialOf, type UsableKey } from '../../access/usable-key.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { OpenStreams } from '../../admission/open-streams.js';
import { Config } from '../../config/config.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { Database } from '../../database/database.js';
import type { OpenSession } from '../../http/open-session.js';
import { formatId, parseId, timeOf } from '../../ids/type-id.js';
import { type AccessChange, AccessWatch, cannotCheck } from '../../keys/access-watch.js';
import { FIND_JOINED_MEMBER, FIND_MEMBERSHIP, type MemberRole } from '../members/members.sql.js';
import { roleOf } from '../members/member-role.js';
import { EnteredTenants } from './entered-tenants.js';
import { endOfSession } from './session-times.js';
import { SessionUses } from './session-uses.js';
import { FIND_SESSION, IS_OPEN, type SessionRow } from './sessions.sql.js';

/** Sessions in memory. Those that were used longest ago are forgotten first, and asked for again when they are used. */
const MOST = 20_000;
/** Reads of sessions at once, and how many of one address may wait: many people of an office have the same. */
const READS = 4;
const MAX_WAITING_OF_ADDRESS = 200;
const WAIT_MS = 5_000;

/** A session that was used in this process. */
interface HeldSession {
  readonly session: OpenSession;
  /** When it ends unless it is used, milliseconds since 1970. */
  endsAt: number;
  /** What it may do, by tenant. */
  readonly entrances: Map<string, Entrance>;
}

/**
 * The sessions that this process has seen, so that a request in a session takes no query. `AccessWatch` tells of which tenants something has
 * changed: what was known about them is forgotten, and asked for again.
 */
@Injectable()
export class SessionCache extends Sessions {
  private readonly tenants: ReadonlyMap<unknown, TenantConfig>;
  /** By the hash of the token, those that were used last at the end. */
  private readonly held = new Map<string, HeldSession>();
  /** Grows with each change of a tenant, so that what was read before it is not held. */
  private readonly changes = new Map<string, number>();
  /** Addresses take turns, so that invented tokens delay nobody elsewhere. */
  private readonly reads = new FairQueue({
    concurrency: READS,
    maxWaiting: MAX_WAITING_OF_ADDRESS,
    waitMs: WAIT_MS,
    refusal: cannotCheck,
  });

  constructor(
    { tenants }: Config,
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly watch: AccessWatch,
    private readonly uses: SessionUses,
    private readonly entered: EnteredTenants,
    private readonly openStreams: OpenStreams,
  ) {
    super();
    this.tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
    watch.follow((changes) => this.forget(changes));
  }

  enter(token: string, tenantId: unknown, address: () => string): Entrance | Promise<Entrance> {
    if (!isSecret('tvs_', token)) return 'unknown';
    const tenant = this.tenants.get(tenantId);
    const hash = hashOfSecret(token);
    const held = this.held.get(hash);
    const entrance = tenant && held?.entrances.get(tenant.id);
    if (!held || !entrance || held.endsAt <= Date.now()) return this.load(hash, tenant, address());
    this.watch.assertCurrent(tenant.id);
    if (held.session.key) return this.stillOfKey(hash, held, tenant);
    return this.used(hash, held, tenant.id, entrance);
  }

  /** The key may have expired. */
  private async stillOfKey(hash: string, held: HeldSession, tenant: TenantConfig): Promise<Entrance> {
    return this.used(hash, held, tenant.id, await this.entranceOfKey(held.session, tenant));
  }

  async find(token: string, address: string): Promise<OpenSession | undefined> {
    const session = isSecret('tvs_', token) ? await this.read(hashOfSecret(token), address) : undefined;
    if (session) this.uses.note(session.id);
    return session;
  }

  async isOpen(id: string): Promise<boolean> {
    return (await this.database.withoutTenants(IS_OPEN, { id })).length > 0;
  }

  async findMember(tenantId: string, id: string): Promise<UsableKey | undefined> {
    const tenant = this.tenants.get(tenantId);
    const [member] = tenant ? await this.database.query(tenantId, FIND_JOINED_MEMBER, { id }) : [];
    return tenant && member && { id, ...memberCredential(tenant, member), root: '', usedMinute: 0 };
  }

  private async load(hash: string, tenant: TenantConfig | undefined, address: string): Promise<Entrance> {
    const known = tenant && this.changes.get(tenant.id);
    const session = await this.read(hash, address);
    if (!session) return 'unknown';
    if (!tenant) return 'elsewhere';
    const entrance = session.key ? await this.entranceOfKey(session, tenant) : await this.entranceOf(session, tenant);
    if (known !== this.changes.get(tenant.id)) return entrance;
    return this.used(hash, this.hold(hash, session, tenant.id, entrance), tenant.id, entrance);
  }

  /** A session of a key may do what the key may do, and ends with it. Its requests count as those of the key. */
  private async entranceOfKey({ id, key }: OpenSession, tenant: TenantConfig): Promise<Entrance> {
    if (key?.tenantId !== tenant.id) return 'elsewhere';
    const known = await this.keys.findById(key.tenantId, key.id);
    if (!known) return 'unknown';
    return { ...known, caller: { ...known.caller, sessionId: formatId('ses', id) } };
  }

  private async read(hash: string, address: string): Promise<OpenSession | undefined> {
    const [row] = await this.reads.run(address, () => this.database.withoutTenants(FIND_SESSION, { hash }));
    const session = row && openSession(row);
    return session && endOfSession(session.id, session.lastSeenAt) > Date.now() ? session : undefined;
  }

  private async entranceOf({ id, personId = '', provider }: OpenSession, tenant: TenantConfig): Promise<Entrance> {
    if (!this.entered.allows(provider, tenant.id)) return 'elsewhere';
    const [member] = await this.database.query(tenant.id, FIND_MEMBERSHIP, { personId });
    if (!member) return 'elsewhere';
    const { caller, narrowing } = memberCredential(tenant, member);
    return { caller: { ...caller, sessionId: formatId('ses', id) }, narrowing };
  }

  private hold(hash: string, session: OpenSession, tenantId: string, entrance: Entrance): HeldSession {
    const endsAt = endOfSession(session.id, session.lastSeenAt);
    const held = this.held.get(hash) ?? { session, endsAt, entrances: new Map<string, Entrance>() };
    held.entrances.set(tenantId, entrance);
    held.endsAt = Math.max(held.endsAt, endsAt);
    this.held.set(hash, held);
    if (this.held.size > MOST) this.held.delete(this.held.keys().next().value!);
    return held;
  }

  /** Part of every request in a session. */
  private used(hash: string, held: HeldSession, tenantId: string, entrance: Entrance): Entrance {
    if (typeof entrance === 'string') return entrance;
    const { session } = held;
    const memberId = session.personId === undefined ? undefined : parseId('usr', entrance.caller.actorId ?? '');
    if (this.uses.note(session.id, memberId === undefined ? undefined : { tenantId, id: memberId })) {
      held.endsAt = endOfSession(session.id, Date.now());
      this.held.delete(hash);
      this.held.set(hash, held);
    }
    return entrance;
  }

  private forget(changes: readonly AccessChange[]): void {
    for (const { tenantId } of changes) {
      this.changes.set(tenantId, (this.changes.get(tenantId) ?? 0) + 1);
      for (const { entrances } of this.held.values()) entrances.delete(tenantId);
      this.openStreams.endStreamsInSessions(tenantId);
    }
  }
}

function openSession({ id, personId, tenant, keyId, provider, lastSeenAt }: SessionRow): OpenSession {
  return {
    id,
    ...(personId !== null && { personId }),
    ...(tenant !== null && keyId !== null && { key: { tenantId: tenant, id: keyId } }),
    ...(provider !== null && { provider }),
    createdAt: timeOf(id).getTime(),
    lastSeenAt: Date.parse(lastSeenAt),
  };
}

function memberCredential(tenant: TenantConfig, member: MemberRole): Credential {
  return credentialOf(tenant, { id: formatId('usr', member.id), name: member.name }, roleOf(member));
}
