/** Finds the running service for a script on the same machine. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const TIMEOUT_MS = 5_000;

/**
 * Returns the URL, the tenant and the key. The URL is TRIVET_URL, or the one that the running service wrote into DATA_DIR, or made of
 * HOST and PORT. Reads .env as the service does. Throws an error that says what to do if no service responds, or if there is no key.
 */
export async function findService() {
  readEnvironmentFile();
  const { TRIVET_URL, TRIVET_TENANT = 'ten_demo', TRIVET_KEY } = process.env;
  const dataDir = resolve(ROOT, process.env.DATA_DIR?.trim() || '.data');
  const base = TRIVET_URL ? await given(TRIVET_URL.replace(/\/+$/, '')) : await runningOn(dataDir);
  const key = TRIVET_KEY ?? (await demoKey(dataDir));
  await assertKnown(base, TRIVET_TENANT, key);
  return { base, tenant: TRIVET_TENANT, key };
}

/** Variables of the environment take precedence, as with `node --env-file`. */
function readEnvironmentFile() {
  try {
    process.loadEnvFile(join(ROOT, '.env'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

async function given(url) {
  const failure = await failureOf(url);
  if (failure) throw new Error(`No Trivet responds at TRIVET_URL, ${url} (${failure}).`);
  return url;
}

async function runningOn(dataDir) {
  const recorded = await recordedIn(dataDir);
  const candidates = [...new Set([...(recorded ? [recorded] : []), configuredUrl()])];
  const failures = [];
  for (const url of candidates) {
    const failure = await failureOf(url);
    if (!failure) return url;
    failures.push(`${url} (${failure})`);
  }
  throw new Error(
    `No Trivet runs on ${dataDir}, and none responds at ${failures.join(' or ')}. Start it in another terminal: npm start\n` +
      'If it runs elsewhere, set TRIVET_URL, or set DATA_DIR or PORT as for the service.',
  );
}

/** The URL that the service wrote when it started. A file whose process has ended, for example by kill -9, says nothing. */
async function recordedIn(dataDir) {
  try {
    const { pid, url } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'));
    return pid && url && isAlive(pid) ? url : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function configuredUrl() {
  const host = process.env.HOST?.trim() || '127.0.0.1';
  const port = process.env.PORT?.trim() || '3000';
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Returns why no service responds at the URL; undefined if one does. */
async function failureOf(url) {
  try {
    const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    return response.ok && text === '{"status":"ok"}' ? undefined : 'something else listens there';
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}

async function demoKey(dataDir) {
  const file = join(dataDir, 'demo-key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new Error(
      `The demo needs a key, and ${file} cannot be read (${error.code}). If the service has tenants of its own, set TRIVET_TENANT and TRIVET_KEY.`,
      { cause: error },
    );
  }
}

/** The service that responds may be another one than that of DATA_DIR. */
async function assertKnown(base, tenant, key) {
  const { status } = await fetch(`${base}/v1/content/${tenant}/types`, { headers: { Authorization: `Bearer ${key}` } });
  if (status !== 401 && status !== 403) return;
  throw new Error(
    `The Trivet at ${base} does not accept the key for ${tenant} (${status}). Set DATA_DIR as for that service, or set TRIVET_TENANT ` +
      'and TRIVET_KEY.',
  );
}
