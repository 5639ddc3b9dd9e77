import type pg from 'pg';
import type { Executor } from '../../database/transaction.js';
import { preparedQuery } from '../../database/statements/prepared-query.js';
import {
  type NoParameters,
  type ServiceStatement,
  type Statement,
  statement,
} from '../../database/statements/statement.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { newUuid } from '../../ids/type-id.js';
import { FIND_MEMBER_BY_ADDRESS, INSERT_MEMBER, SET_ROLE } from '../members/members.sql.js';
import type { ServiceExecutor } from '../one-time-tokens.js';
import { roleNamed } from '../roles/tenant-role.js';
import { issueInvitation } from './invitation-token.js';

/** What the command takes the access lock with. Running processes notice the change within a second. */
const LOCK_ACCESS = statement<NoParameters, never>()(
  'access.lock_by_command',
  `INSERT INTO access_versions AS v (tenant_id, version, ended) VALUES (:tenantId, 1, 0)
    ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1`,
);

/** Runs declared statements on the connection of a command. */
class ClientExecutor implements Executor, ServiceExecutor {
  constructor(private readonly client: pg.ClientBase) {}

  async query<Parameters, Row>(
    tenantId: string,
    one: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return (await this.client.query(preparedQuery(one, one.bind(tenantId, parameters)))).rows as Row[];
  }

  async withoutTenants<Parameters, Row>(
    one: ServiceStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return (await this.client.query(preparedQuery(one, one.bind(parameters)))).rows as Row[];
  }
}

/** Whom a command invites. */
export interface PrintedInvitation {
  tenantId: string;
  email: string;
  /** The name of a role, or its ID. */
  role: string;
}

/**
 * Invites somebody without an email, or again, and returns the token. Throws an Error with a sentence if the address is that of a member, or
 * there is no such role.
 */
export async function inviteByCommand(client: pg.ClientBase, invitation: PrintedInvitation): Promise<string> {
  await client.query('BEGIN');
  try {
    const token = await invite(new ClientExecutor(client), invitation);
    await client.query('COMMIT');
    return token;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function invite(executor: ClientExecutor, { tenantId, email, role }: PrintedInvitation): Promise<string> {
  await executor.query(tenantId, LOCK_ACCESS, {});
  const found = await roleNamed(executor, tenantId, role);
  if (!found) throw new Error(`${tenantId} has no role ${role}.`);
  const address = canonicalEmail(email);
  const [known] = await executor.query(tenantId, FIND_MEMBER_BY_ADDRESS, { address });
  if (known && known.joinedAt !== null) throw new Error(`${email} is a member of ${tenantId} already.`);
  if (known) {
    await executor.query(tenantId, SET_ROLE, { id: known.id, roleId: found.id });
    return issueInvitation(executor, tenantId, known.id);
  }
  const id = newUuid();
  await executor.query(tenantId, INSERT_MEMBER, { id, address, email, name: '', roleId: found.id });
  return issueInvitation(executor, tenantId, id);
}
