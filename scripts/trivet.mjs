/**
 * Runs the command line on the service of this machine: `npm run trivet -- pull`. It finds the service as the demo does, unless the
 * environment or the options say where it is.
 */
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { findService } from './find-service.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'cli/dist/trivet.js');

if (!existsSync(PROGRAM)) {
  const { status } = spawnSync('sh', [join(ROOT, 'scripts/build.sh')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
// Without a service, the command line says itself what it needs. Its help needs none.
const found = await findService().catch(() => undefined);
if (found) {
  const { base, tenant, key } = found;
  Object.assign(process.env, { TRIVET_URL: base, TRIVET_TENANT: tenant, TRIVET_KEY: key });
}
// Relative paths in the arguments start at the caller's directory.
process.chdir(process.env.INIT_CWD ?? process.cwd());
await import(PROGRAM);
