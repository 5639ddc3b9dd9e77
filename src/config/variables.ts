import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import ipaddr from 'ipaddr.js';
import { type Config, LOG_FORMATS, LOG_LEVELS, LOGGED_REQUESTS, MCP_WRITES, ROLES, type S3Config } from './config.js';
import { diskBytes } from './disk.js';
import { parseDuration, parseDurations } from './durations.js';
import type { Environment } from './environment.js';
import { readExtensions } from './extensions.js';
import { isHost } from './hosts.js';
import { readConsoleUrl } from './signing-in/console-url.js';
import { type OidcProvider, parseOidcProviders } from './signing-in/oidc-providers.js';
import { parseRedisUrl } from './redis-url.js';
import { describeWeakKeys, type TenantConfig, parseTenants } from './tenants-config.js';
import { parseUrl } from '../validation/parse-url.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIB = 1_048_576;

/** The variables as they were read. Missing secrets are generated on disk after all variables have been validated. */
export type Variables = Omit<Config, 'tenants' | 'demo' | 'encryptionKeys' | 'unknownVariables'> & {
  tenants?: TenantConfig[];
  encryptionKeys?: Buffer[];
};

/** Reads all variables. `env` collects the problems. A key can have one of `scopes`. */
export function readVariables(env: Environment, scopes: readonly string[]): Variables {
  const production = env.text('NODE_ENV') === 'production';
  const port = env.integer('PORT', 3000, 0, 65_535);
  const host =
    env.matching('HOST', /^[\w.:-]+$/, 'an IP address or a host name') ?? (production ? '0.0.0.0' : '127.0.0.1');
  const dataDir = readDataDir(env);
  const publicUrl = env.parsed(
    'PUBLIC_URL',
    defaultUrl(host, port),
    'an http or https URL without a query',
    parseBaseUrl,
  );
  const tenants = readTenants(env, scopes);
  const variables: Variables = {
    extensions: readExtensions(env),
    production,
    port,
    host,
    publicUrl,
    hasPublicUrl: env.text('PUBLIC_URL') !== undefined,
    console: env.boolean('CONSOLE', true),
    consoleUrl: readConsoleUrl(env, publicUrl),
    mcp: env.boolean('MCP', true),
    mcpWrites: env.oneOf('MCP_WRITES', 'drafts', MCP_WRITES),
    dataDir,
    databaseUrl: readDatabaseUrl(env),
    databaseReplicaUrls: readReplicaUrls(env),
    databaseWait: readDelay(env, 'DATABASE_WAIT', MINUTE, DAY),
    databasePoolSize: env.integer('DATABASE_POOL_SIZE', 10, 1, 1_000),
    maxConnections: env.integer('MAX_CONNECTIONS', 4_000, 10, 1_000_000),
    maxConnectionsPerAddress: env.integer('MAX_CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    clientTimeout: readDuration(env, 'CLIENT_TIMEOUT', 30_000, 3_600_000),
    maxBytesInFlight: env.integer('MAX_BYTES_IN_FLIGHT', defaultBytesInFlight(), 16_777_216, 1_099_511_627_776),
    redisUrl: env.parsed<string, undefined>(
      'REDIS_URL',
      undefined,
      'a redis://, redis+sentinel:// or redis+cluster:// URL, or one with rediss',
      (text) => parseRedisUrl(text) && text,
    ),
    role: env.oneOf('ROLE', 'all', ROLES),
    webConcurrency: env.integer('WEB_CONCURRENCY', 1, 1, 256),
    shutdownDelay: readDelay(env, 'SHUTDOWN_DELAY', production ? 5_000 : 0, 5 * MINUTE),
    tenants,
    oidcProviders: readOidcProviders(env, tenants),
    publicMaxAge: env.integer('PUBLIC_MAX_AGE', 60, 0, 31_536_000),
    publicRateLimit: env.integer('PUBLIC_RATE_LIMIT', 600, 1, 1_000_000),
    trustProxy: env.integer('TRUST_PROXY', 0, 0, 100),
    ...readMailTransport(env),
    mailFrom:
      env.matching('MAIL_FROM', /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'an email address') ??
      'Trivet <trivet@localhost>',
    autoresponderDailyLimit: env.integer('AUTORESPONDER_DAILY_LIMIT', 100, 1, 1_000_000),
    autoresponderTenantDailyLimit: env.integer('AUTORESPONDER_TENANT_DAILY_LIMIT', 1_000, 1, 10_000_000),
    mailHourlyLimit: env.integer('MAIL_HOURLY_LIMIT', 20, 1, 1_000_000),
    mailDigestInterval: readDuration(env, 'MAIL_DIGEST_INTERVAL', 15 * MINUTE, 6 * HOUR),
    webhookRetrySchedule: env.parsed(
      'WEBHOOK_RETRY_SCHEDULE',
      parseDurations('5s,5m,30m,2h,5h,10h,14h,20h,24h')!,
      'a comma-separated list of durations such as 5s,5m,2h',
      parseDurations,
    ),
    webhookTimeout: readDuration(env, 'WEBHOOK_TIMEOUT', 15_000, 300_000),
    webhookAllowPrivateNetworks: env.boolean('WEBHOOK_ALLOW_PRIVATE_NETWORKS', false),
    outboundAllow: env.list('OUTBOUND_ALLOW', [], 'CIDR ranges such as 10.0.0.0/8', isCidr),
    outboundAllowedHosts: env.list(
      'OUTBOUND_ALLOWED_HOSTS',
      [],
      'hosts with an optional port, such as crm.internal or 10.1.2.3:8443',
      isHost,
    ),
    outboundCa: env.parsed<string, undefined>(
      'OUTBOUND_CA_FILE',
      undefined,
      'the path of a readable file that contains PEM certificates',
      readCertificates,
    ),
    encryptionKeys: readEncryptionKeys(env),
    eventRetention: readDuration(env, 'EVENT_RETENTION', 30 * DAY, 3_650 * DAY),
    eventStreams: env.integer('EVENT_STREAMS', 100, 0, 100_000),
    auditRetention: readDuration(env, 'AUDIT_RETENTION', 365 * DAY, 3_650 * DAY),
    auditIp: env.boolean('AUDIT_IP', false),
    versionsKept: env.integer('VERSIONS_KEPT', 100, 0, 1_000_000),
    mediaMaxBytes: env.integer('MEDIA_MAX_BYTES', 26_214_400, 1, 1_099_511_627_776),
    variantsMaxBytes: env.integer('VARIANTS_MAX_BYTES', defaultVariantBytes(dataDir), MIB, 109_951_162_777_600),
    mediaTypes: env.list('MEDIA_TYPES', undefined, 'media types such as image/png or image/*', isMediaType),
    s3: readS3(env),
    ...readLogging(env),
    logRequests: env.oneOf('LOG_REQUESTS', 'failed', LOGGED_REQUESTS),
    metricsToken: env.text('METRICS_TOKEN'),
    adminPassword: env.text('ADMIN_PASSWORD'),
  };
  if (production && !env.text('ENCRYPTION_KEY')) {
    env.problems.push(
      'ENCRYPTION_KEY is required when NODE_ENV is production. Generate a key with: openssl rand -base64 32',
    );
  }
  if (production && !variables.tenants) {
    env.problems.push('TENANTS or TENANTS_FILE is required when NODE_ENV is production.');
  }
  if (production) env.problems.push(...describeWeakKeys(variables.tenants ?? []).map((sentence) => `${sentence}.`));
  return variables;
}

function readTenants(env: Environment, scopes: readonly string[]): TenantConfig[] | undefined {
  const json = env.text('TENANTS');
  const file = env.text('TENANTS_FILE');
  if (json && file) env.problems.push('TENANTS and TENANTS_FILE cannot be used together. Set only one of them.');
  if (json) return parseTenants(json, 'TENANTS', env.problems, scopes);
  if (!file) return undefined;
  try {
    return parseTenants(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), 'TENANTS_FILE', env.problems, scopes);
  } catch (error) {
    env.problems.push(`TENANTS_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
    return [];
  }
}

function readOidcProviders(env: Environment, tenants: readonly TenantConfig[] | undefined): OidcProvider[] {
  const json = env.text('OIDC_PROVIDERS');
  if (json === undefined) return [];
  // The demo tenant is the only one if none is configured. With an invalid configuration, which ones there are is not known.
  const ids = tenants === undefined ? ['ten_demo'] : tenants.map(({ id }) => id);
  return parseOidcProviders(json, ids.length > 0 ? new Set(ids) : undefined, env.problems);
}

/** Reads how to log, which is needed before the other variables. */
export function readLogging(env: Environment): Pick<Config, 'logLevel' | 'logFormat'> {
  return {
    logLevel: env.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    logFormat: env.oneOf('LOG_FORMAT', process.stdout.isTTY ? 'pretty' : 'json', LOG_FORMATS),
  };
}

export function readDataDir(env: Environment): string {
  return resolve(env.text('DATA_DIR') ?? '.data');
}

export function readDatabaseUrl(env: Environment): string | undefined {
  return env.matching('DATABASE_URL', /^postgres(?:ql)?:\/\/./, 'a postgres:// URL');
}

function readReplicaUrls(env: Environment): string[] {
  const urls = env.list('DATABASE_REPLICA_URL', [], 'postgres:// URLs', isDatabaseUrl);
  if (urls.length > 0 && !env.text('DATABASE_URL')) {
    env.problems.push('DATABASE_REPLICA_URL requires DATABASE_URL: the embedded PostgreSQL has no replicas.');
  }
  return urls;
}

export function readEncryptionKeys(env: Environment): Buffer[] | undefined {
  return env.parsed<Buffer[], undefined>(
    'ENCRYPTION_KEY',
    undefined,
    '32 bytes in base64, or a comma-separated list of such keys while keys are rotated',
    parseEncryptionKeys,
  );
}

/** Returns the path of the generated encryption key, which is used while `ENCRYPTION_KEY` is not set. */
export function encryptionKeyFile(dataDir: string): string {
  return join(dataDir, 'encryption-key');
}

/** Returns the path of the demo tenant's key, which is used while no tenant is configured. */
export function demoKeyFile(dataDir: string): string {
  return join(dataDir, 'demo-key');
}

export function readS3(env: Environment): S3Config | undefined {
  const bucket = env.matching('S3_BUCKET', /^[\w.-]{1,255}$/, 'the name of a bucket');
  const region = env.matching('S3_REGION', /^[\w-]{1,64}$/, 'the name of a region') ?? 'us-east-1';
  const endpoint = env.parsed(
    'S3_ENDPOINT',
    `https://s3.${region}.amazonaws.com`,
    'an http or https URL without a query',
    parseBaseUrl,
  );
  const accessKeyId = env.text('S3_ACCESS_KEY_ID');
  const secretAccessKey = env.text('S3_SECRET_ACCESS_KEY');
  const used = ['S3_BUCKET', 'S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter((name) =>
    env.text(name),
  );
  if (used.length === 0) return undefined;
  for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
    if (!used.includes(name)) env.problems.push(`${name} is required when ${used.join(', ')} is set.`);
  }
  return bucket && accessKeyId && secretAccessKey
    ? { endpoint, bucket, region, accessKeyId, secretAccessKey }
    : undefined;
}

/** Emails are sent by SMTP if there is a server, and otherwise written to files, unless another transport is named. */
function readMailTransport(env: Environment): Pick<Config, 'smtpUrl' | 'mailTransport'> {
  const smtpUrl = env.matching('SMTP_URL', /^smtps?:\/\/./, 'an smtp:// or smtps:// URL');
  const name = env.matching(
    'MAIL_TRANSPORT',
    /^[a-z][a-z0-9-]{0,62}$/,
    'the name of a mail transport: smtp, file, or one of an extension',
  );
  if (name === 'smtp' && !env.text('SMTP_URL')) env.problems.push('SMTP_URL is required when MAIL_TRANSPORT is smtp.');
  return { smtpUrl, mailTransport: name ?? (smtpUrl ? 'smtp' : 'file') };
}

function readDuration(env: Environment, name: string, fallback: number, max: number): number {
  return env.parsed(name, fallback, 'a duration greater than 0, such as 500ms, 15s, 5m, 2h or 30d', (text) => {
    const duration = parseDuration(text);
    return duration && duration <= max ? duration : undefined;
  });
}

/** Reads a duration that may be 0. */
function readDelay(env: Environment, name: string, fallback: number, max: number): number {
  return env.parsed(name, fallback, '0, or a duration such as 500ms or 15s', (text) => {
    const duration = parseDuration(text);
    return duration !== undefined && duration <= max ? duration : undefined;
  });
}

/** A quarter of V8's heap limit. A request uses about as much memory again outside of the heap. */
function defaultBytesInFlight(): number {
  return Math.max(16_777_216, Math.floor(getHeapStatistics().heap_size_limit / 4));
}

/** A tenth of the disk, at most 10 GiB. Variants can be generated again, and must leave space for data that cannot. */
function defaultVariantBytes(dataDir: string): number {
  return Math.max(MIB, Math.min(10_737_418_240, Math.floor(diskBytes(dataDir) / 10)));
}

/** Returns the URL under which a client on this machine reaches the service. */
export function listenUrl(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Returns `PUBLIC_URL` if it is not set. It names the loopback address by its domain, because passkeys need a domain. */
export function defaultUrl(host: string, port: number): string {
  return listenUrl(['127.0.0.1', '::1'].includes(host) ? 'localhost' : host, port);
}

function parseBaseUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (!url) return undefined;
  const plain = /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return plain ? url.href.replace(/\/+$/, '') : undefined;
}

/** Returns the keys of a comma-separated list, 32 bytes each; undefined if an item is not a key. */
export function parseEncryptionKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim());
  // 43 characters of base64 and its padding are exactly 32 bytes.
  return keys.every((key) => /^[A-Za-z0-9+/_-]{43}=?$/.test(key))
    ? keys.map((key) => Buffer.from(key, 'base64'))
    : undefined;
}

/** Returns the text of a file of PEM certificates; undefined if it cannot be read or does not contain valid certificates. */
function readCertificates(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    certificates?.forEach((certificate) => new X509Certificate(certificate));
    return certificates ? text : undefined;
  } catch {
    return undefined;
  }
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(text) && parseUrl(text) !== undefined;
}

/** Accepts only the full notation: `10/8` would be read as 0.0.0.10/8. */
function isCidr(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function isMediaType(text: string): boolean {
  return /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/.test(text);
}
