import { configure } from '../configure.js';
import type { Config } from '../config/config.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { reachDatabase } from '../database/servers/reach-database.js';
import { runCommand, say } from '../processes/command.js';
import { findRunning } from '../processes/running-file.js';
import { signInLink } from './links/sign-in-link.js';

const USAGE = 'Usage: npm run console [-- --tenant ten_acme]   prints a link that signs in once, within an hour';

runCommand(async () => {
  const wanted = tenantOf(process.argv.slice(2));
  const config = await configure();
  const tenant = config.tenants.find(({ id }) => id === (wanted ?? config.tenants[0]?.id));
  if (!tenant) throw new Error(`The configuration has no tenant ${wanted ?? ''}. It has ${namesOf(config)}.`);
  if (wanted === undefined && config.tenants.length > 1) throw new Error(`Name a tenant: ${namesOf(config)}. ${USAGE}`);
  const { url, release } = await reachDatabase({ ...config, log: { info: say, error: say } });
  try {
    announceDatabase(url);
    say(await signInLink(url, tenant, consoleUrlOf(config)));
    return 0;
  } finally {
    await release();
  }
});

function tenantOf(given: readonly string[]): string | undefined {
  if (given.length === 0) return undefined;
  const [option, tenant, ...more] = given.flatMap((text) => text.split('='));
  if (option !== '--tenant' || tenant === undefined || more.length > 0) throw new Error(USAGE);
  return tenant;
}

function namesOf({ tenants }: Config): string {
  return tenants.map(({ id }) => id).join(', ');
}

/** The running service knows a port that the system chose. */
function consoleUrlOf({ consoleUrl, publicUrl, hasPublicUrl, port, dataDir }: Config): string {
  const running = port === 0 && !hasPublicUrl ? findRunning(dataDir)?.url : undefined;
  return consoleUrl ?? running ?? publicUrl;
}
