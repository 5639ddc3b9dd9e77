import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { isPartAway, problemOfDatabase } from '../../errors/database-problem.js';
import { Problem } from '../../errors/problem.js';
import { newUuid } from '../../ids/type-id.js';
import { PeriodicTask } from '../../queues/periodic-task.js';
import {
  ADD_FIRST_POSITION,
  ADD_SUBSCRIBER,
  KNOWN,
  type KnownSubscriberRow,
  MARK_REGISTERED,
  MARK_SEEN,
  TENANTS_WITH_EVENTS,
} from './positions.sql.js';
import { type EventSubscriber, Subscribers } from './subscriber.js';

const EVERY_MS = 60_000;
/** How soon a registration that the database did not allow is tried again. */
const REGISTER_AGAIN_MS = 5_000;
/** How often a process warns of a subscriber that no worker has. */
const WARN_EVERY_MS = 3_600_000;

/** Makes the subscribers of this process known to the database, before the process creates any event. */
@Injectable()
export class SubscriberRegistry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Subscribers');
  private readonly round = new PeriodicTask(EVERY_MS, () => this.check());
  private readonly registrations = new PeriodicTask(REGISTER_AGAIN_MS, () => this.tryToRegister());
  private isLate = false;
  /** The IDs of the registered subscribers of this process, by name. */
  private readonly ids = new Map<string, string>();
  private readonly warnedAt = new Map<string, number>();

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly subscribers: Subscribers,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.tryToRegister();
    this.registrations.start();
    if (this.config.role === 'api') return;
    await this.markSeen();
    this.round.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.round.stop(), this.registrations.stop()]);
  }

  /** Returns the ID of a registered subscriber of this process. */
  idOf({ name }: EventSubscriber): string | undefined {
    return this.ids.get(name);
  }

  /** Registers every subscriber of this process. It may run in several processes at once, and again after it was interrupted. */
  async register(): Promise<void> {
    for (const subscriber of this.subscribers.positioned()) {
      if (!this.idOf(subscriber)) this.ids.set(subscriber.name, await this.registered(subscriber));
    }
  }

  /**
   * A new subscriber needs the servers of all tenants. If one does not answer, the process serves the others, and no worker passes events to the
   * subscriber until it is registered.
   */
  private async tryToRegister(): Promise<void> {
    try {
      await this.register();
      this.isLate = false;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!this.isLate)
        this.logger.warn(
          { err: error },
          'A new subscriber cannot be registered while the database does not answer for all tenants; it is tried again',
        );
      this.isLate = true;
    }
  }

  /** The subscribers that the database knows and this process does not have. */
  async missing(): Promise<KnownSubscriberRow[]> {
    const known = await this.database.withoutTenants(KNOWN, {});
    return known.filter(({ name }) => !this.ids.has(name));
  }

  private async registered({ name, startsFrom }: EventSubscriber): Promise<string> {
    let known = await this.find(name);
    if (!known) {
      await this.database.acrossTenants(ADD_SUBSCRIBER, { name, startsFrom, id: newUuid() });
      known = await this.find(name);
    }
    if (!known) throw new Error(`The subscriber "${name}" was retired while it was registered.`);
    const { id, isRegistered } = known;
    if (isRegistered) return id;
    for (const { tenantId } of await this.database.acrossTenants(TENANTS_WITH_EVENTS, {})) {
      await this.database.query(tenantId, ADD_FIRST_POSITION, { id, startsFrom: known.startsFrom });
    }
    await this.database.acrossTenants(MARK_REGISTERED, { id });
    this.logger.log({ subscriber: name, starts_from: known.startsFrom }, 'A new subscriber receives events');
    return id;
  }

  private async find(name: string): Promise<KnownSubscriberRow | undefined> {
    return (await this.database.withoutTenants(KNOWN, {})).find((row) => row.name === name);
  }

  private async markSeen(): Promise<void> {
    const ids = [...this.ids.values()];
    if (ids.length === 0) return;
    const rows = await this.database.acrossTenants(MARK_SEEN, { ids }).catch((error: unknown) => {
      // Every server has a copy of the table, so it can't be written while one is away. Work goes on without it.
      if (!isPartAway(error)) throw error;
      return undefined;
    });
    if (!rows) return;
    const known = new Set(rows.map(({ id }) => id));
    for (const [name, id] of this.ids) if (!known.has(id)) this.forget(name);
  }

  /**
   * Ends the feed of a subscriber that was retired while this worker could not reach the database. The next registration adds it again, as a
   * start of this worker would.
   */
  private forget(name: string): void {
    this.ids.delete(name);
    this.logger.error(
      { subscriber: name },
      `The subscriber "${name}" was retired although this worker has it. It is registered again as a new one, which may not receive the ` +
        'events from before. If it was removed for good, remove it from every worker, and then run: ' +
        `npm run subscribers -- retire ${name}`,
    );
  }

  /**
   * Tells the database which subscribers this worker has, registers those again that were retired meanwhile, and warns of those that no
   * worker has.
   */
  async check(): Promise<void> {
    await this.markSeen();
    if (this.subscribers.positioned().some((subscriber) => !this.idOf(subscriber))) {
      await this.register();
      await this.markSeen();
    }
    for (const { name, isMissed, seenAt } of await this.missing()) {
      const isDue = Date.now() - (this.warnedAt.get(name) ?? 0) > WARN_EVERY_MS;
      if (!isMissed || !isDue) continue;
      this.warnedAt.set(name, Date.now());
      this.logger.warn(
        { subscriber: name, seen_at: seenAt },
        `No worker has the subscriber "${name}". Events are kept for it, and none are deleted. Start a worker that has it. ` +
          `If it was removed for good, run: npm run subscribers -- retire ${name}`,
      );
    }
  }
}

/** Whether the database or a part of it does not answer, or has too much to do. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Problem ? error.status === 503 : problemOfDatabase(error) !== undefined;
}
