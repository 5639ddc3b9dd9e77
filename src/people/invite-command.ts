import 'reflect-metadata';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { DEMO_TENANT, type Settings } from '../config/load-config.js';
import { readEnvironment } from '../configure.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { reachDatabase } from '../database/servers/reach-database.js';
import { isEmail } from '../fields/formats/email.js';
import { runCommand, say } from '../processes/command.js';
import { findRunning } from '../processes/running-file.js';
import { invitationLink } from './invitations/invitation-token.js';
import { inviteByCommand, type PrintedInvitation } from './invitations/printed-invitation.js';

const USAGE =
  'Usage: npm run invite -- --tenant ten_acme --email ada@example.com --role owner\n\n' +
  'Prints a link that is good once, for seven days, and sends no email. It replaces the link of an earlier invitation.';

runCommand(async (signal) => {
  const invitation = readInvitation();
  const settings = await readEnvironment();
  assertTenant(settings, invitation.tenantId);
  const { url, release } = await reachDatabase({ ...settings, log: { info: say, error: say } });
  try {
    announceDatabase(url);
    const client = new pg.Client({ connectionString: url, application_name: 'trivet invite' });
    // If a connection breaks between two statements, the next statement reports it.
    client.on('error', () => undefined);
    await client.connect();
    signal.addEventListener('abort', () => void client.end());
    const token = await invite(client, invitation).finally(() => client.end());
    say(`${invitation.email} is invited to ${invitation.tenantId} as ${invitation.role}. Open within seven days:`);
    say(invitationLink(consoleUrl(settings), token));
    return 0;
  } finally {
    await release();
  }
});

function readInvitation(): PrintedInvitation {
  const text = { type: 'string' } as const;
  const { tenant, email, role } = parsed({ tenant: text, email: text, role: text });
  if (tenant === undefined || email === undefined || role === undefined) throw new Error(USAGE);
  if (!isEmail(email)) throw new Error(`${email} is not an email address.`);
  return { tenantId: tenant, email, role };
}

function parsed<const Options extends Record<string, { type: 'string' }>>(options: Options) {
  try {
    return parseArgs({ options }).values as Partial<Record<keyof Options, string>>;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

function assertTenant({ tenants }: Settings, tenantId: string): void {
  const ids = tenants?.map(({ id }) => id) ?? [DEMO_TENANT];
  if (!ids.includes(tenantId)) throw new Error(`There is no tenant ${tenantId}. The tenants are ${ids.join(', ')}.`);
}

/** Where people reach the console. A port that the system chose is known while the service runs. */
function consoleUrl({ consoleUrl: own, port, publicUrl, dataDir }: Settings): string {
  return own ?? (port === 0 ? findRunning(dataDir)?.url : undefined) ?? publicUrl;
}

async function invite(client: pg.Client, invitation: PrintedInvitation): Promise<string> {
  try {
    return await inviteByCommand(client, invitation);
  } catch (error) {
    const { code } = error as { code?: string };
    // A database that no service with this tenant has used lacks the tables, or the row of the tenant.
    if (code !== '42P01' && code !== '23503') throw error;
    throw new Error('The service has not been started with this tenant yet. Start it, and try again.', {
      cause: error,
    });
  }
}
