import type { OidcProvider } from './signing-in/oidc-providers.js';
import type { TenantConfig } from './tenants-config.js';
import type { UnknownVariable } from './unknown-variables.js';

export const ROLES = ['api', 'worker', 'all'] as const;
export const MCP_WRITES = ['drafts', 'live'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const LOG_FORMATS = ['pretty', 'json'] as const;
export const LOGGED_REQUESTS = ['all', 'failed', 'none'] as const;

export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The whole configuration, validated and immutable. Nothing else reads the environment; `reference.ts` explains every variable. */
export class Config {
  /** `EXTENSIONS`: folders in `extensions/`, or packages. */
  readonly extensions!: readonly string[];
  /** `NODE_ENV` is `production`: nothing is generated (no demo tenant, no encryption key). */
  readonly production!: boolean;
  /** `PORT` that the API listens on; 0 lets the system choose. */
  readonly port!: number;
  /** `HOST`, the address that the API listens on. */
  readonly host!: string;
  /** `PUBLIC_URL` under which clients reach the service, without a trailing slash. */
  readonly publicUrl!: string;
  /** Whether `PUBLIC_URL` is set. Otherwise `publicUrl` is made of `HOST` and `PORT`. */
  readonly hasPublicUrl!: boolean;
  /** `CONSOLE`: whether the console is served. */
  readonly console!: boolean;
  /** `CONSOLE_URL`, the origin of the console; undefined: `publicUrl`. `PublicUrl.console` has the one that applies. */
  readonly consoleUrl?: string;
  /** `MCP`: whether assistants may reach the tenants at `/mcp`. */
  readonly mcp!: boolean;
  /** `MCP_WRITES`: what the tools of assistants may change: drafts, or what is live too. */
  readonly mcpWrites!: (typeof MCP_WRITES)[number];
  /** `DATA_DIR` as an absolute path: embedded PostgreSQL, generated secrets, media, emails. */
  readonly dataDir!: string;
  /** `DATABASE_URL` of a PostgreSQL server; undefined: the embedded one in `dataDir` is started. */
  readonly databaseUrl?: string;
  /** `DATABASE_REPLICA_URL`: streaming standbys of the server at `DATABASE_URL`, which answer reads. */
  readonly databaseReplicaUrls!: readonly string[];
  /** `DATABASE_WAIT`: how long a start waits for a database that does not accept connections yet, milliseconds. */
  readonly databaseWait!: number;
  /** `DATABASE_POOL_SIZE`: connections of each process to each server. */
  readonly databasePoolSize!: number;
  /** `MAX_CONNECTIONS`: client connections of this process. */
  readonly maxConnections!: number;
  /** `MAX_CONNECTIONS_PER_ADDRESS`; not applied behind a proxy (`TRUST_PROXY`). */
  readonly maxConnectionsPerAddress!: number;
  /** `CLIENT_TIMEOUT`: milliseconds after which the connection of a client that neither sends nor reads anything is closed. */
  readonly clientTimeout!: number;
  /** `MAX_BYTES_IN_FLIGHT`: bytes of bodies and responses that this process holds in memory at once. */
  readonly maxBytesInFlight!: number;
  /** `REDIS_URL` for Bull and the shared rate limits; undefined: jobs run in the process. */
  readonly redisUrl?: string;
  /** `ROLE`: serve requests, run jobs, or both. */
  readonly role!: (typeof ROLES)[number];
  /** `WEB_CONCURRENCY`: processes that serve requests. */
  readonly webConcurrency!: number;
  /** `SHUTDOWN_DELAY`: how long a stopping process still accepts requests, milliseconds. */
  readonly shutdownDelay!: number;
  /** `TENANTS` or `TENANTS_FILE`; the demo tenant when neither is set. */
  readonly tenants!: readonly TenantConfig[];
  /** The demo tenant and its key in plain text, when no tenant is configured. */
  readonly demo?: { readonly tenantId: string; readonly key: string };
  /** `OIDC_PROVIDERS`, which people may sign in with. */
  readonly oidcProviders!: readonly OidcProvider[];
  /** `PUBLIC_MAX_AGE`: seconds for which caches may keep what is read without a key. */
  readonly publicMaxAge!: number;
  /** `PUBLIC_RATE_LIMIT`: requests per minute of one address without a key. */
  readonly publicRateLimit!: number;
  /** `TRUST_PROXY`: number of proxies in front whose `X-Forwarded-For` is trusted. */
  readonly trustProxy!: number;
  /** `SMTP_URL` of the mail server; required by the transport `smtp`. */
  readonly smtpUrl?: string;
  /** `MAIL_TRANSPORT`: the name of the transport that sends emails. */
  readonly mailTransport!: string;
  /** `MAIL_FROM`, sender of notification emails. */
  readonly mailFrom!: string;
  /** `AUTORESPONDER_DAILY_LIMIT`: emails of one form to visitors on a day (UTC). */
  readonly autoresponderDailyLimit!: number;
  /** `AUTORESPONDER_TENANT_DAILY_LIMIT`: the same of all forms of a tenant. */
  readonly autoresponderTenantDailyLimit!: number;
  /** `MAIL_HOURLY_LIMIT`: submissions of a form per hour that each get an email; the others share a digest. */
  readonly mailHourlyLimit!: number;
  /** `MAIL_DIGEST_INTERVAL`: how long a digest collects submissions beyond the limit, milliseconds. */
  readonly mailDigestInterval!: number;
  /** `WEBHOOK_RETRY_SCHEDULE`: milliseconds to wait before each retry. */
  readonly webhookRetrySchedule!: readonly number[];
  /** `WEBHOOK_TIMEOUT` of an attempt, milliseconds. */
  readonly webhookTimeout!: number;
  /** `WEBHOOK_ALLOW_PRIVATE_NETWORKS`: allows webhooks to any address, for development. */
  readonly webhookAllowPrivateNetworks!: boolean;
  /** `OUTBOUND_ALLOW`: CIDR ranges that webhooks may reach although they are not public. */
  readonly outboundAllow!: readonly string[];
  /** `OUTBOUND_ALLOWED_HOSTS`: hosts of the operator, with optional ports, that extensions may reach although they are not public. */
  readonly outboundAllowedHosts!: readonly string[];
  /** `OUTBOUND_CA_FILE`: PEM certificates that outgoing requests trust in addition to the public roots. */
  readonly outboundCa?: string;
  /** `ENCRYPTION_KEY`: 32 bytes each. The first key encrypts, and all keys decrypt, so that keys can be rotated. */
  readonly encryptionKeys!: readonly Buffer[];
  /** `EVENT_RETENTION`: how long events and their deliveries are stored, milliseconds. */
  readonly eventRetention!: number;

  /** `EVENT_STREAMS`: streams of events that a tenant may have open in this process at once. */
  readonly eventStreams!: number;
  /** `AUDIT_RETENTION`: how long the records of the audit log are stored, milliseconds. */
  readonly auditRetention!: number;
  /** `AUDIT_IP`: whether the records of the audit log have the addresses of clients. */
  readonly auditIp!: boolean;
  /** `VERSIONS_KEPT`: how many versions of an entry are kept; 0: all. */
  readonly versionsKept!: number;
  /** `MEDIA_MAX_BYTES` of one uploaded file. */
  readonly mediaMaxBytes!: number;
  /** `VARIANTS_MAX_BYTES` of all image variants together. */
  readonly variantsMaxBytes!: number;
  /** `MEDIA_TYPES` that may be uploaded (`image/png`, `image/*`); undefined: the built-in list. */
  readonly mediaTypes?: readonly string[];
  /** `S3_*`: where media is stored; undefined: a folder under `dataDir`. */
  readonly s3?: Readonly<S3Config>;
  /** `LOG_LEVEL`. */
  readonly logLevel!: (typeof LOG_LEVELS)[number];
  /** `LOG_FORMAT`: one JSON object per line, or lines for people. */
  readonly logFormat!: (typeof LOG_FORMATS)[number];
  /** `LOG_REQUESTS`: which requests are logged. */
  readonly logRequests!: (typeof LOGGED_REQUESTS)[number];
  /** `METRICS_TOKEN`, the bearer token for `/metrics`; undefined: only loopback clients have access, and in production no client. */
  readonly metricsToken?: string;
  /** `ADMIN_PASSWORD`; undefined: no administration pages. */
  readonly adminPassword?: string;
  /** Variables that are set, are not known, and resemble a known one. */
  readonly unknownVariables!: readonly UnknownVariable[];
}
