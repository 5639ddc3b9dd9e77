import pg from 'pg';
import { configuredKeys } from '../../access/configured-keys.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import type { ServiceStatement } from '../../database/statements/statement.js';
import { formatId } from '../../ids/type-id.js';
import { issueToken, type ServiceExecutor } from '../one-time-tokens.js';

/** How long a link is good. */
export const LINK_VALID_S = 3_600;

/**
 * Returns a link to the console that signs in once, within an hour, with what the first key of the tenant's configuration may do that may do
 * everything. Throws an Error with a sentence if the tenant has no such key. `consoleUrl` is the base of the console's pages.
 */
export async function signInLink(databaseUrl: string, tenant: TenantConfig, consoleUrl: string): Promise<string> {
  const key = configuredKeys(tenant).find(({ scopes }) => scopes.includes('*'));
  if (!key) {
    throw new Error(
      `No key of ${tenant.id} has the scope *, which a sign-in link would act with. Invite an owner instead.`,
    );
  }
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'trivet sign-in link' });
  // If the connection breaks between two statements, the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const executor = {
      withoutTenants: async <Parameters, Row>(statement: ServiceStatement<Parameters, Row>, parameters: Parameters) => {
        const { rows } = await client.query(statement.text, [...statement.bind(parameters)]);
        return rows as Row[];
      },
    };
    return await issueLink(executor, { tenantId: tenant.id, keyId: formatId('key', key.id), consoleUrl });
  } finally {
    await client.end();
  }
}

/** Makes a link that signs in as a key (public ID). */
export async function issueLink(
  executor: ServiceExecutor,
  { tenantId, keyId, consoleUrl }: { tenantId: string; keyId: string; consoleUrl: string },
): Promise<string> {
  const token = await issueToken(executor, { purpose: 'link', subject: `${tenantId} ${keyId}`, seconds: LINK_VALID_S });
  return `${consoleUrl}/console/sign-in#${token}`;
}
