import { randomBytes } from 'node:crypto';
import { ensureDataDir } from './data-dir.js';
import { ConfigError, Environment } from './environment.js';
import { storedSecret } from './stored-secret.js';
import { type TenantConfig, hashOf } from './tenants-config.js';
import {
  type LOG_LEVELS,
  type LOGGED_REQUESTS,
  type ROLES,
  type S3Config,
  demoKeyFile,
  encryptionKeyFile,
  parseEncryptionKeys,
  readVariables,
} from './variables.js';

/** The whole configuration, validated and immutable. Nothing else reads the environment; `.env.example` lists every variable. */
export class Config {
  /** `NODE_ENV` is `production`: nothing is made up (no demo tenant, no generated encryption key). */
  readonly production!: boolean;
  /** `PORT` the API listens on; 0 lets the system choose. */
  readonly port!: number;
  /** `HOST`, the address the API listens on. */
  readonly host!: string;
  /** `PUBLIC_URL` under which clients reach the service, without a trailing slash. */
  readonly publicUrl!: string;
  /** `DATA_DIR` as an absolute path: embedded PostgreSQL, generated secrets, media, mails. */
  readonly dataDir!: string;
  /** `DATABASE_URL` of a PostgreSQL; undefined: one is started from `dataDir`. */
  readonly databaseUrl?: string;
  /** `DATABASE_POOL_SIZE`: connections of each process. */
  readonly databasePoolSize!: number;
  /** `MAX_CONNECTIONS`: client connections of this process. */
  readonly maxConnections!: number;
  /** `MAX_CONNECTIONS_PER_ADDRESS`; not applied behind a proxy (`TRUST_PROXY`). */
  readonly maxConnectionsPerAddress!: number;
  /** `CLIENT_TIMEOUT`: milliseconds after which a client that neither sends nor takes anything is cut off. */
  readonly clientTimeout!: number;
  /** `MAX_BYTES_IN_FLIGHT`: bytes of bodies and answers that this process holds in memory at once. */
  readonly maxBytesInFlight!: number;
  /** `REDIS_URL` for Bull and the shared rate limits; undefined: jobs run in the process. */
  readonly redisUrl?: string;
  /** `ROLE`: answer requests, run jobs, or both. */
  readonly role!: (typeof ROLES)[number];
  /** `WEB_CONCURRENCY`: processes that answer requests. */
  readonly webConcurrency!: number;
  /** `SHUTDOWN_DELAY`: how long a process that is told to stop still takes requests, milliseconds. */
  readonly shutdownDelay!: number;
  /** `TENANTS` or `TENANTS_FILE`; the demo tenant when neither is set. */
  readonly tenants!: readonly TenantConfig[];
  /** The demo tenant and its key in plain text, when no tenant is configured. */
  readonly demo?: { readonly tenantId: string; readonly key: string };
  /** `TRUST_PROXY`: proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy!: number;
  /** `SMTP_URL` of the mail server; undefined: mails become files under `dataDir`. */
  readonly smtpUrl?: string;
  /** `MAIL_FROM`, sender of notification mails. */
  readonly mailFrom!: string;
  /** `MAIL_HOURLY_LIMIT`: submissions of a form that have a mail of their own in an hour; the others share one. */
  readonly mailHourlyLimit!: number;
  /** `MAIL_DIGEST_INTERVAL`: how long a mail gathers submissions beyond the limit, milliseconds. */
  readonly mailDigestInterval!: number;
  /** `WEBHOOK_RETRY_SCHEDULE`: milliseconds to wait before each retry. */
  readonly webhookRetrySchedule!: readonly number[];
  /** `WEBHOOK_TIMEOUT` of an attempt, milliseconds. */
  readonly webhookTimeout!: number;
  /** `WEBHOOK_ALLOW_PRIVATE_NETWORKS`: lifts the check of where webhooks go, for development. */
  readonly webhookAllowPrivateNetworks!: boolean;
  /** `OUTBOUND_ALLOW`: CIDR ranges that outgoing requests may reach although they are not public. */
  readonly outboundAllow!: readonly string[];
  /** `OUTBOUND_CA_FILE`: PEM certificates that outgoing requests trust beside the public roots. */
  readonly outboundCa?: string;
  /** `ENCRYPTION_KEY`: 32 bytes each. The first encrypts; all may decrypt, so that keys can be rotated. */
  readonly encryptionKeys!: readonly Buffer[];
  /** `EVENT_RETENTION`: how long events and what was delivered of them are stored, milliseconds. */
  readonly eventRetention!: number;
  /** `MEDIA_MAX_BYTES` of one uploaded file. */
  readonly mediaMaxBytes!: number;
  /** `VARIANTS_MAX_BYTES` of all variants of images together. */
  readonly variantsMaxBytes!: number;
  /** `MEDIA_TYPES` that may be uploaded (`image/png`, `image/*`); undefined: the built-in list. */
  readonly mediaTypes?: readonly string[];
  /** `S3_*`: where media is stored; undefined: a folder under `dataDir`. */
  readonly s3?: Readonly<S3Config>;
  /** `LOG_LEVEL`. */
  readonly logLevel!: (typeof LOG_LEVELS)[number];
  /** `LOG_REQUESTS`: which requests have a line in the log. */
  readonly logRequests!: (typeof LOGGED_REQUESTS)[number];
  /** `METRICS_TOKEN`, the bearer of `/metrics`; undefined: loopback clients only, and in production no client at all. */
  readonly metricsToken?: string;
  /** `ADMIN_PASSWORD`; undefined: no administration pages. */
  readonly adminPassword?: string;
}

/** Reads and validates the environment. Throws a ConfigError that lists every problem. */
export async function loadConfig(env: Record<string, string | undefined> = process.env): Promise<Config> {
  const environment = new Environment(env);
  const variables = readVariables(environment);
  environment.assertValid();

  const { dataDir } = variables;
  await ensureDataDir(dataDir);
  const demo = variables.tenants
    ? undefined
    : Object.freeze({ tenantId: 'ten_demo', key: await storedSecret(demoKeyFile(dataDir), newKey) });
  return Object.freeze(
    Object.assign(new Config(), variables, {
      demo,
      tenants: variables.tenants ?? [demoTenant(demo!.key)],
      encryptionKeys: variables.encryptionKeys ?? [await generatedEncryptionKey(dataDir)],
    }),
  );
}

async function generatedEncryptionKey(dataDir: string): Promise<Buffer> {
  const stored = await storedSecret(encryptionKeyFile(dataDir), () => randomBytes(32).toString('base64'));
  const [key] = parseEncryptionKeys(stored) ?? [];
  if (!key)
    throw new ConfigError([
      'DATA_DIR contains a damaged encryption-key file. Restore the file, or set ENCRYPTION_KEY.',
    ]);
  return key;
}

function newKey(): string {
  return `tvt_${randomBytes(32).toString('base64url')}`;
}

function demoTenant(key: string): TenantConfig {
  return { id: 'ten_demo', name: 'Demo', apiKeys: [{ name: 'demo', hash: hashOf(key), scopes: ['*'] }] };
}
