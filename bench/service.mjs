/** The service as in production: one process, hashed keys, a log. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstAnswer, freePort, startProgram } from './processes.mjs';

export const KEY_NAME = 'bench';
export const TENANT = 'ten_bench';

/** The configuration for all starts; `neighbours` are the IDs of other tenants. */
export function configure({ dist, folder, databaseUrl, neighbours = [], processes = 1 }) {
  const key = `tvt_${randomBytes(16).toString('hex')}`;
  const hash = `sha256:${createHash('sha256').update(key).digest('hex')}`;
  const tenants = [
    { id: TENANT, name: 'Bench', api_keys: [{ name: KEY_NAME, key: hash }] },
    ...neighbours.map((id) => ({ id, name: id, api_keys: [] })),
  ];
  const tenantsFile = join(folder, 'tenants.json');
  writeFileSync(tenantsFile, JSON.stringify(tenants));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    TENANTS_FILE: tenantsFile,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    ...(processes > 1 && { WEB_CONCURRENCY: String(processes) }),
  };
  return { main: join(dist, 'main.js'), key, env, logFile: join(folder, 'service.log') };
}

/** Starts the service and waits until it is ready; `seconds` is the duration. */
export async function startService(configuration, { nodeArgs = [] } = {}) {
  const { main, key, env, logFile } = configuration;
  const port = await freePort();
  const began = performance.now();
  const running = startProgram(process.execPath, [...nodeArgs, main], {
    env: { ...env, PORT: String(port) },
    logFile,
  });
  const url = `http://127.0.0.1:${port}`;
  const seconds = await firstAnswer(`${url}/health/ready`, running, { since: began });
  return new Service({ ...running, port, url, key, seconds });
}

export class Service {
  constructor(parts) {
    Object.assign(this, parts);
  }

  get headers() {
    return { Authorization: `Bearer ${this.key}` };
  }

  /** Sends JSON and returns the response's data; undefined for a status in `allowed`. Throws for any other error. */
  async send(method, path, body, allowed = []) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...this.headers, ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (allowed.includes(response.status)) return undefined;
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    const { data } = JSON.parse(text);
    return data;
  }
}
