import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { OWNER } from '../../access/built-in-roles.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { newUuid } from '../../ids/type-id.js';
import { forEachTenant } from '../../queues/each-tenant.js';
import { PeriodicTask } from '../../queues/periodic-task.js';
import { AccessChanges } from '../access-changes.js';
import { FIND_MEMBER_BY_ADDRESS, INSERT_MEMBER } from '../members/members.sql.js';
import { Invitations } from './invitations.js';

const EVERY_MS = 2_000;

/**
 * Invites the `owners` of the configuration who are not members, once after the start. Each process tries; the one that writes the row of
 * an owner sends the email. A tenant whose database server is away is taken up when it is back. Limits do not count here.
 */
@Injectable()
export class FirstOwners implements OnApplicationBootstrap, OnModuleDestroy {
  /** The addresses by tenant, until all of them are members or invited. */
  private readonly pending: Map<string, readonly string[]>;
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.invite());

  constructor(
    { tenants }: Config,
    private readonly database: Database,
    private readonly changes: AccessChanges,
    private readonly invitations: Invitations,
  ) {
    this.pending = new Map(tenants.flatMap(({ id, owners = [] }) => (owners.length > 0 ? [[id, owners]] : [])));
  }

  onApplicationBootstrap(): void {
    if (this.pending.size > 0) this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  private async invite(): Promise<void> {
    await forEachTenant({ name: FirstOwners.name, database: this.database }, [...this.pending.keys()], async (id) => {
      for (const email of this.pending.get(id) ?? []) await this.inviteOwner(id, email.trim());
      this.pending.delete(id);
    });
    if (this.pending.size === 0) void this.rounds.stop();
  }

  private async inviteOwner(tenantId: string, email: string): Promise<void> {
    const address = canonicalEmail(email);
    if ((await this.database.query(tenantId, FIND_MEMBER_BY_ADDRESS, { address })).length > 0) return;
    const owner = { id: newUuid(), email, name: '' };
    await this.changes.run(tenantId, async (transaction) => {
      const row = { ...owner, address, roleId: OWNER.id };
      if ((await transaction.query(tenantId, INSERT_MEMBER, row)).length === 0) return;
      await this.invitations.send(transaction, tenantId, owner, undefined);
    });
  }
}
