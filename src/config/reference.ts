/** A variable of the environment, as the reference and `.env.example` show it. */
interface DocumentedVariable {
  readonly name: string;
  /** Markdown: what the variable means. */
  readonly about: string;
  /** The value that has the same effect as no value. */
  readonly default?: string;
  /** Markdown: what happens without a value, where that is not one default. */
  readonly unset?: string;
  /** A value for `.env.example`, where there is no default. */
  readonly example?: string;
}

/** Every variable of the service. `npm run openapi` writes docs/reference/configuration.md and `.env.example` from it. */
export const CONFIGURATION: readonly { readonly title: string; readonly variables: readonly DocumentedVariable[] }[] = [
  {
    title: 'Service',
    variables: [
      {
        name: 'EXTENSIONS',
        about:
          'Extensions that are on: folders in `extensions/` or installed packages. The tables of an extension that is turned off stay.',
        unset: 'none',
        example: 'redirects,@acme/trivet-crm',
      },
      {
        name: 'NODE_ENV',
        about:
          'With `production`, nothing is generated: `TENANTS` (or `TENANTS_FILE`) and `ENCRYPTION_KEY` are required.',
        example: 'production',
      },
      { name: 'PORT', about: 'The port that the API listens on. With 0, the system chooses a port.', default: '3000' },
      {
        name: 'HOST',
        about: 'The address that the API listens on.',
        unset: '`127.0.0.1`, in production `0.0.0.0`',
        example: '127.0.0.1',
      },
      {
        name: 'PUBLIC_URL',
        about:
          'The base URL under which clients reach the service. Media URLs and links in email start with it. It may change later: entries follow. All processes of a service need the same one.',
        unset: '`http://localhost:PORT`, or with `HOST` if that is another address; production warns then',
        example: 'https://cms.example.com',
      },
      {
        name: 'CONSOLE',
        about: 'With `false`, there is no console at `/console`. See docs/how-to/operate/console.md.',
        default: 'true',
      },
      {
        name: 'CONSOLE_URL',
        about: 'The origin of the console, if it has one of its own, on the same site as `PUBLIC_URL`.',
        unset: '`PUBLIC_URL`',
        example: 'https://console.example.com',
      },
      {
        name: 'MCP',
        about: 'With `false`, there is no `/mcp` for assistants. See docs/reference/mcp.md.',
        default: 'true',
      },
      {
        name: 'MCP_WRITES',
        about:
          'What the tools at `/mcp` may change with a key that may write: `drafts`, or with `live` what is published too (`publish_entry`, `delete_entry`).',
        default: 'drafts',
      },
      {
        name: 'ROLE',
        about:
          'What the process does: `api` (answers requests), `worker` (delivers webhooks and email) or `all`. A worker also answers `/health`, `/metrics` and `/admin` on `PORT`, but serves no API.',
        default: 'all',
      },
      { name: 'WEB_CONCURRENCY', about: 'Number of processes that answer requests on the same port.', default: '1' },
      {
        name: 'MAX_CONNECTIONS',
        about:
          'Client connections of a process. At a limit, an idle or stalled connection is closed to make room for a new one.',
        default: '4000',
      },
      {
        name: 'MAX_CONNECTIONS_PER_ADDRESS',
        about:
          'Client connections of a process from one address (an IPv6 client counts by its /64). It does not apply behind a proxy (`TRUST_PROXY`).',
        default: '1000',
      },
      {
        name: 'CLIENT_TIMEOUT',
        about:
          'A client is disconnected if, for this long, it sends nothing of the rest of its request or reads nothing of its response.',
        default: '30s',
      },
      {
        name: 'MAX_BYTES_IN_FLIGHT',
        about:
          'Bytes of request bodies and responses that a process holds in memory at once. A request that does not fit gets 503 with `Retry-After`. A tenant may use half of the bytes, or less while others need memory.',
        unset: 'a quarter of the heap that V8 may use',
        example: '536870912',
      },
      {
        name: 'SHUTDOWN_DELAY',
        about:
          'How long a process that is told to stop (SIGTERM, SIGINT, SIGHUP) still accepts requests. During this time `/health/ready` returns 503, so that a load balancer sends no more requests.',
        unset: '`0s`, in production `5s`',
        example: '5s',
      },
      {
        name: 'TRUST_PROXY',
        about:
          'Number of proxies in front of the service. This many entries of `X-Forwarded-For` are trusted, counted from the right; with 0, none.',
        default: '0',
      },
      {
        name: 'LOG_LEVEL',
        about:
          'The lowest level that is logged. The line that says where the service listens has the level info. The reason of a failed start is always written.',
        default: 'info',
      },
      {
        name: 'LOG_FORMAT',
        about:
          '`json`: every line of the log is a JSON object, with the level by name. `pretty`: lines for people. The reason of a failed start is written to the standard error, in the same format.',
        unset: '`pretty` if the standard output is a terminal, otherwise `json`',
        example: 'json',
      },
      {
        name: 'LOG_REQUESTS',
        about: 'Which requests are logged: `all`, `failed` (4xx as info, 5xx as error) or `none`.',
        default: 'failed',
      },
      {
        name: 'METRICS_TOKEN',
        about: 'Bearer token of `/metrics`.',
        unset: 'only loopback clients may read `/metrics`, and in production no client may (404)',
      },
      {
        name: 'ADMIN_PASSWORD',
        about:
          'Password of the administration page (`/admin/queues`, with any user name), which shows the work that waits and, if `REDIS_URL` is set, links to the pages of Bull.',
        unset: 'there are no such pages',
      },
    ],
  },
  {
    title: 'Data',
    variables: [
      {
        name: 'DATA_DIR',
        about: 'The directory for the embedded PostgreSQL, generated secrets, media and emails.',
        default: '.data',
      },
      {
        name: 'DATABASE_URL',
        about: 'A PostgreSQL server, 14 or later. The role must be allowed to create tables.',
        unset: 'the service runs an embedded PostgreSQL in `DATA_DIR`',
        example: 'postgres://trivet:secret@localhost:5432/trivet',
      },
      {
        name: 'DATABASE_REPLICA_URL',
        about:
          'Streaming standbys of this server that answer reads. Each URL must lead to one server directly, not to a load balancer or a pooler. Reads are as current as on the primary. See docs/how-to/operate/scale.md.',
        unset: 'the server answers all reads',
        example: 'postgres://trivet:secret@replica1:5432/trivet,postgres://trivet:secret@replica2:5432/trivet',
      },
      {
        name: 'DATABASE_WAIT',
        about:
          'How long a start waits for a server that does not accept connections yet, or whose name does not resolve yet. A wrong password or a database that does not exist ends the start at once. 0: do not wait.',
        default: '60s',
      },
      {
        name: 'DATABASE_POOL_SIZE',
        about:
          'Connections of each process to PostgreSQL and to each replica, besides one for the readiness check and one for keys.',
        default: '10',
      },
      {
        name: 'REDIS_URL',
        about:
          'The Redis that wakes the workers of other processes, and counts the rate limits of several processes together. With Sentinel, its addresses and the name of the master: `redis+sentinel://:secret@sentinel1:26379,sentinel2:26379/mymaster`. With Redis Cluster, some of its nodes: `redis+cluster://:secret@node1:6379,node2:6379`. The credentials are those of Redis. With `rediss` instead of `redis`, connections use TLS.',
        unset: 'jobs run in the process itself, and each process counts by itself',
        example: 'redis://localhost:6379',
      },
      {
        name: 'ENCRYPTION_KEY',
        about:
          '32 bytes in base64 (`openssl rand -base64 32`) that encrypt the secrets of webhooks, and emails with links to sign in until they are sent. To replace the key, put the new one in front: `new,old`. Required in production.',
        unset: 'a key is generated in `DATA_DIR`',
      },
      {
        name: 'EVENT_RETENTION',
        about: 'How long events and the records of their deliveries are kept.',
        default: '30d',
      },
      {
        name: 'EVENT_STREAMS',
        about:
          'How many streams of events (`text/event-stream`) a tenant may have open at once in each process. All tenants together use at most half of `MAX_CONNECTIONS` for them.',
        default: '100',
      },
      { name: 'AUDIT_RETENTION', about: 'How long the records of the audit log are kept.', default: '365d' },
      {
        name: 'AUDIT_IP',
        about: 'With true, the records of the audit log have the addresses of the clients that made the changes.',
        default: 'false',
      },
      { name: 'VERSIONS_KEPT', about: 'How many versions of an entry are kept. 0 keeps all of them.', default: '100' },
    ],
  },
  {
    title: 'Tenants',
    variables: [
      {
        name: 'TENANTS',
        about:
          'The tenants and their API keys, as JSON. See docs/reference/tenants.md. Required in production, unless `TENANTS_FILE` is set.',
        unset: 'one tenant, `ten_demo`, whose key is generated in `DATA_DIR` and printed',
        example:
          '[{"id": "ten_acme", "name": "Acme", "api_keys": [{"name": "ci", "key": "sha256:…", "scopes": ["*"]}], "allowed_origins": ["https://acme.example"], "rate_limit": 600}]',
      },
      {
        name: 'TENANTS_FILE',
        about: 'The path of a JSON file with the tenants, instead of `TENANTS`.',
        example: '/etc/trivet/tenants.json',
      },
    ],
  },
  {
    title: 'Signing in',
    variables: [
      {
        name: 'OIDC_PROVIDERS',
        about: 'Providers that people sign in with, as JSON. See docs/how-to/operate/sign-in-with-openid-connect.md.',
        unset: 'none',
        example:
          '[{"id": "acme", "name": "Acme", "issuer": "https://id.acme.example", "client_id": "trivet", "client_secret": "…", "tenants": [{"id": "ten_acme", "default_role": "viewer", "roles": {"editors": "editor"}}]}]',
      },
    ],
  },
  {
    title: 'Reading without a key',
    variables: [
      {
        name: 'PUBLIC_MAX_AGE',
        about: 'How long browsers and CDNs may keep what is read without a key, in seconds.',
        default: '60',
      },
      { name: 'PUBLIC_RATE_LIMIT', about: 'Requests per minute of one client address without a key.', default: '600' },
    ],
  },
  {
    title: 'Mail',
    variables: [
      {
        name: 'MAIL_TRANSPORT',
        about:
          'How emails are sent: `smtp`, `file` (written to `DATA_DIR` as `.eml` files and not sent), or the name of a transport that an extension provides.',
        unset: '`smtp` if `SMTP_URL` is set, otherwise `file`',
        example: 'smtp',
      },
      {
        name: 'SMTP_URL',
        about: 'The mail server of the transport `smtp`: `smtp://` or `smtps://`, with user and password if needed.',
        example: 'smtps://user:secret@mail.example.com',
      },
      { name: 'MAIL_FROM', about: 'The sender of emails.', default: 'Trivet <trivet@localhost>' },
      {
        name: 'MAIL_HOURLY_LIMIT',
        about:
          'Number of submissions of one form that get a separate email within an hour. Further submissions share an email (a digest).',
        default: '20',
      },
      {
        name: 'MAIL_DIGEST_INTERVAL',
        about:
          'How long a digest collects submissions. In the hours that follow an hour beyond the limit, all submissions go into digests, and a digest collects them for four times the interval.',
        default: '15m',
      },
      {
        name: 'AUTORESPONDER_DAILY_LIMIT',
        about:
          'Number of emails of the autoresponder that one form sends on a day (UTC). An address receives at most one within an hour from a tenant.',
        default: '100',
      },
      {
        name: 'AUTORESPONDER_TENANT_DAILY_LIMIT',
        about: 'The same for all forms of a tenant together.',
        default: '1000',
      },
    ],
  },
  {
    title: 'Webhooks',
    variables: [
      {
        name: 'WEBHOOK_RETRY_SCHEDULE',
        about: 'The wait before each retry. If the last retry fails, the delivery has failed.',
        default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
      },
      { name: 'WEBHOOK_TIMEOUT', about: 'Time-out of one attempt.', default: '15s' },
      {
        name: 'WEBHOOK_ALLOW_PRIVATE_NETWORKS',
        about: '`true` lets webhooks reach addresses that are not public, over https or http. For development.',
        default: 'false',
      },
      {
        name: 'OUTBOUND_ALLOW',
        about: 'CIDR ranges that webhooks may reach although they are not public.',
        unset: 'none',
        example: '10.1.0.0/16,fd00::/8',
      },
      {
        name: 'OUTBOUND_ALLOWED_HOSTS',
        about:
          'Hosts that you chose, such as a CRM or a mail gateway that an extension calls, and that have addresses that are not public. Each may have a port. Webhooks are not allowed to reach them by this.',
        unset: 'none',
        example: 'crm.internal,10.1.2.3:8443',
      },
      {
        name: 'OUTBOUND_CA_FILE',
        about:
          'A file of PEM certificates that webhooks and extensions trust in addition to the public root certificates, for receivers with a certificate of your own CA.',
        example: '/etc/ssl/own-ca.pem',
      },
    ],
  },
  {
    title: 'Media',
    variables: [
      {
        name: 'MEDIA_MAX_BYTES',
        about: 'The maximum size of one file, in bytes (25 MiB), also of files that are sent with forms.',
        default: '26214400',
      },
      {
        name: 'VARIANTS_MAX_BYTES',
        about:
          'Bytes of all image variants together. Beyond this limit, the tenant with the most bytes loses its least recently used variants. They are made again when they are requested.',
        unset: 'a tenth of the disk that `DATA_DIR` is on, at most 10 GiB',
        example: '10737418240',
      },
      {
        name: 'MEDIA_TYPES',
        about: 'Types that may be uploaded.',
        unset: 'the built-in list',
        example: 'image/*,application/pdf',
      },
      {
        name: 'S3_BUCKET',
        about: 'An S3-compatible bucket that stores the files. It needs the two keys.',
        unset: 'a folder in `DATA_DIR`',
        example: 'trivet-media',
      },
      { name: 'S3_ACCESS_KEY_ID', about: 'The ID of the access key of the bucket.' },
      { name: 'S3_SECRET_ACCESS_KEY', about: 'The access key of the bucket.' },
      { name: 'S3_REGION', about: 'The region of the bucket.', default: 'us-east-1' },
      { name: 'S3_ENDPOINT', about: 'The URL of the S3 service.', unset: 'that of Amazon for the region' },
    ],
  },
];
