import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { AppModule } from '../../src/app.module.js';
import { setUp } from '../../src/app.setup.js';
import type { Config } from '../../src/config/config.js';
import { configure } from '../../src/configure.js';
import { PublicUrl } from '../../src/http/public-url.js';
import { HttpAdapter } from '../../src/http/http-adapter.js';
import { JsonLogger } from '../../src/observability/logger.js';
import { createDatabase, type TestDatabase } from './database.js';
import { noteServerErrors } from './server-errors.js';

/** The applications that run. The environment of Jest (`test/support/jest/environment.mjs`) looks here for one that outlives its test file. */
const running = new Set<NestExpressApplication>();
(globalThis as { runningApps?: ReadonlySet<NestExpressApplication> }).runningApps = running;

/** The number of tenants that each test application is configured with. `tenant()` returns one after the other. */
const TENANTS = 100;

export interface TestTenant {
  id: string;
  key: string;
  /** A key that can read only content types and published entries. */
  publishedKey?: string;
  /** An HTTP client with the tenant's key. It takes complete paths. */
  http: Http;
}

export interface Http {
  get(path: string): request.Test;
  post(path: string, body?: object): request.Test;
  put(path: string, body?: object): request.Test;
  patch(path: string, body?: object): request.Test;
  delete(path: string): request.Test;
}

export interface TestApp {
  url: string;
  /** The base of the URLs in responses. */
  publicUrl: string;
  config: Config;
  database: TestDatabase;
  app: NestExpressApplication;
  /** Returns a tenant that no other test uses. */
  tenant(): TestTenant;
  /** Returns a client that sends this Authorization header, or none. */
  client(authorization?: string, headers?: Record<string, string>): Http;
  get<T>(token: Type<T>): T;
  close(): Promise<void>;
}

/**
 * Starts the real application on a free port with a new database, or with the given one. `env` extends its environment. The extensions that
 * are on for the test run are on. `modules` are added to the application. With `keepAlive: false` its clients open a connection for each request.
 * `oidcProviders` returns `OIDC_PROVIDERS` for the tenants in the order in which `tenant()` returns them.
 */
export async function startApp(
  env: Record<string, string> = {},
  options: {
    database?: TestDatabase;
    modules?: DynamicModule[];
    keepAlive?: boolean;
    oidcProviders?: (tenantIds: string[]) => object[];
  } = {},
): Promise<TestApp> {
  const database = options.database ?? (await createDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'trivet-app-'));
  const run = randomBytes(4).toString('hex');
  const tenants = Array.from({ length: TENANTS }, (_, index) => ({
    id: `ten_${run}${index}`,
    name: `Tenant ${index}`,
    api_keys: [
      { name: 'test', key: `test-key-${run}-${index}` },
      { name: 'published', key: `published-key-${run}-${index}`, scopes: ['content:read:published'] },
    ],
  }));
  const config = await configure({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '1',
    TENANTS: JSON.stringify(tenants),
    DATABASE_URL: database.url,
    EXTENSIONS: process.env['EXTENSIONS'],
    ...(options.oidcProviders && {
      OIDC_PROVIDERS: JSON.stringify(options.oidcProviders(tenants.map(({ id }) => id))),
    }),
    ...env,
  });
  const service = await AppModule.of(config, database.url);
  const imports = [...(service.imports ?? []), ...(options.modules ?? [])];
  const app = await NestFactory.create<NestExpressApplication>({ ...service, imports }, new HttpAdapter(), {
    logger: new JsonLogger(config.logLevel),
    bodyParser: false,
    abortOnError: false,
  });
  setUp(app, config);
  noteServerErrors(app.getHttpServer());
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  }
  running.add(app);
  app.getHttpServer().once('close', () => running.delete(app));
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: options.keepAlive ?? true });
  let taken = 0;
  return {
    url,
    publicUrl: app.get(PublicUrl, { strict: false }).base,
    config,
    database,
    app,
    client: (authorization, headers) => client(url, agent, authorization, headers),
    tenant() {
      const tenant = tenants[taken++];
      const [key, publishedKey] = tenant?.api_keys.map((apiKey) => apiKey.key) ?? [];
      if (!tenant || !key || !publishedKey) throw new Error('No tenant is left: raise TENANTS.');
      return { id: tenant.id, key, publishedKey, http: client(url, agent, `Bearer ${key}`) };
    },
    get: (token) => app.get(token),
    async close() {
      agent.destroy();
      await app.close();
      if (!options.database) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function client(url: string, agent: Agent, authorization?: string, headers: Record<string, string> = {}): Http {
  const send = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object): request.Test => {
    const test = request(url)[method](path).agent(agent).set(headers);
    if (authorization) test.set('Authorization', authorization);
    return body === undefined ? test : test.send(body);
  };
  return {
    get: (path) => send('get', path),
    post: (path, body) => send('post', path, body),
    put: (path, body) => send('put', path, body),
    patch: (path, body) => send('patch', path, body),
    delete: (path) => send('delete', path),
  };
}
