import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './load-config.js';
import { currentEncryptionKeys, loadDataConfig } from './data-config.js';
import { diskBytes } from './disk.js';
import { ConfigError, Environment } from './environment.js';
import { hashOf } from './tenants-config.js';
import { readVariables } from './variables.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const TENANTS = '[{"id": "ten_acme", "name": "Acme", "api_keys": [{"key": "9f3c5b7a1d2e4f608b9c0d1e"}]}]';

describe('configuration', () => {
  let DATA_DIR: string;

  beforeEach(async () => (DATA_DIR = await mkdtemp(join(tmpdir(), 'trivet-config-'))));
  afterEach(() => rm(DATA_DIR, { recursive: true, force: true }));

  it('has a default for everything', async () => {
    const config = await loadConfig({ DATA_DIR });

    expect(config).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      hasPublicUrl: false,
      dataDir: DATA_DIR,
      databasePoolSize: 10,
      role: 'all',
      webConcurrency: 1,
      shutdownDelay: 0,
      trustProxy: 0,
      mailFrom: 'Trivet <trivet@localhost>',
      autoresponderDailyLimit: 100,
      autoresponderTenantDailyLimit: 1_000,
      mailHourlyLimit: 20,
      mailDigestInterval: 900_000,
      webhookTimeout: 15_000,
      webhookAllowPrivateNetworks: false,
      outboundAllow: [],
      eventRetention: 2_592_000_000,
      eventStreams: 100,
      auditRetention: 31_536_000_000,
      auditIp: false,
      versionsKept: 100,
      mediaMaxBytes: 26_214_400,
      logLevel: 'info',
    });
    expect(config.webhookRetrySchedule.map((pause) => pause / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    // A tenth of the disk, at most 10 GiB.
    expect(config.variantsMaxBytes).toBeGreaterThanOrEqual(1_048_576);
    expect(config.variantsMaxBytes).toBeLessThanOrEqual(10_737_418_240);
    expect(config.variantsMaxBytes).toBeLessThanOrEqual(Math.max(1_048_576, diskBytes(DATA_DIR) / 10));
    for (const unset of ['databaseUrl', 'redisUrl', 'smtpUrl', 's3', 'metricsToken', 'adminPassword', 'mediaTypes']) {
      expect(config).toHaveProperty(unset, undefined);
    }
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads the variables that are set', async () => {
    const config = await loadConfig({
      DATA_DIR,
      NODE_ENV: 'production',
      TENANTS,
      ENCRYPTION_KEY: `${Buffer.alloc(32, 1).toString('base64')}, ${KEY}`,
      PUBLIC_URL: 'https://cms.example/base//',
      WEBHOOK_RETRY_SCHEDULE: '500ms,5s, 1.5h',
      OUTBOUND_ALLOW: '10.1.0.0/16, fd00::/8',
      MEDIA_TYPES: 'image/*, application/pdf',
      VARIANTS_MAX_BYTES: '5000000',
      S3_BUCKET: 'media',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      ROLE: 'worker',
    });

    expect(config).toMatchObject({
      production: true,
      host: '0.0.0.0',
      shutdownDelay: 5_000,
      publicUrl: 'https://cms.example/base',
      hasPublicUrl: true,
      encryptionKeys: [Buffer.alloc(32, 1), Buffer.alloc(32, 7)],
      webhookRetrySchedule: [500, 5_000, 5_400_000],
      outboundAllow: ['10.1.0.0/16', 'fd00::/8'],
      mediaTypes: ['image/*', 'application/pdf'],
      variantsMaxBytes: 5_000_000,
      s3: { bucket: 'media', region: 'eu-central-1', endpoint: 'https://s3.eu-central-1.amazonaws.com' },
      webhookAllowPrivateNetworks: true,
      role: 'worker',
      demo: undefined,
    });
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it('measures the disk of a directory that does not exist yet', async () => {
    expect(diskBytes(join(DATA_DIR, 'not', 'yet', 'made'))).toBe(diskBytes(DATA_DIR));
    expect((await loadConfig({ DATA_DIR: join(DATA_DIR, 'not', 'yet') })).variantsMaxBytes).toBeGreaterThan(0);
  });

  it('treats an empty variable as unset', async () => {
    const { port, databaseUrl } = await loadConfig({ DATA_DIR, PORT: '', DATABASE_URL: ' ' });
    expect({ port, databaseUrl }).toEqual({ port: 3000, databaseUrl: undefined });
  });

  it('reads the URLs of replicas, which need a DATABASE_URL', async () => {
    const DATABASE_URL = 'postgres://user:secret@db/trivet';
    const DATABASE_REPLICA_URL = 'postgres://user:secret@db2/trivet, postgresql://user:secret@db3:5433/trivet';
    const { databaseReplicaUrls } = await loadConfig({ DATA_DIR, DATABASE_URL, DATABASE_REPLICA_URL });
    expect(databaseReplicaUrls).toEqual([
      'postgres://user:secret@db2/trivet',
      'postgresql://user:secret@db3:5433/trivet',
    ]);
    expect((await loadConfig({ DATA_DIR })).databaseReplicaUrls).toEqual([]);
    await expect(loadConfig({ DATA_DIR, DATABASE_REPLICA_URL })).rejects.toThrow(
      'DATABASE_REPLICA_URL requires DATABASE_URL',
    );
    await expect(loadConfig({ DATA_DIR, DATABASE_URL, DATABASE_REPLICA_URL: 'db2' })).rejects.toThrow(
      'DATABASE_REPLICA_URL must be a comma-separated list of postgres:// URLs.',
    );
  });

  it('reads 0 without a unit as a duration where 0 is allowed, and refuses it elsewhere', async () => {
    const zero = { DATABASE_WAIT: '0', SHUTDOWN_DELAY: '0', WEBHOOK_RETRY_SCHEDULE: '0,5s' };
    expect(await loadConfig({ DATA_DIR, ...zero })).toMatchObject({
      databaseWait: 0,
      shutdownDelay: 0,
      webhookRetrySchedule: [0, 5_000],
    });
    await expect(loadConfig({ DATA_DIR, CLIENT_TIMEOUT: '0' })).rejects.toThrow(
      'CLIENT_TIMEOUT must be a duration greater than 0',
    );
  });

  it('has a default PUBLIC_URL that a client can open, also for HOST=0.0.0.0', async () => {
    expect((await loadConfig({ DATA_DIR, HOST: '0.0.0.0' })).publicUrl).toBe('http://localhost:3000');
    expect((await loadConfig({ DATA_DIR, HOST: '::1', PORT: '80' })).publicUrl).toBe('http://localhost:80');
    expect((await loadConfig({ DATA_DIR, HOST: '::2', PORT: '80' })).publicUrl).toBe('http://[::2]:80');
  });

  it('lists every problem by the name of its variable, prints no value and writes no file', async () => {
    const wrong = {
      PORT: '70000',
      HOST: 'se cret',
      PUBLIC_URL: 'https://user:secret@cms.example',
      DATABASE_URL: 'mysql://user:secret@host/db',
      DATABASE_POOL_SIZE: '0',
      REDIS_URL: 'secret',
      ROLE: 'secret',
      WEB_CONCURRENCY: '1.5',
      SHUTDOWN_DELAY: '6m',
      TENANTS: '[{"id": "ten_acme", "key": "secret" oops',
      TRUST_PROXY: '-1',
      SMTP_URL: 'http://user:secret@host',
      MAIL_FROM: 'secret\nBcc: a@b.c',
      MAIL_HOURLY_LIMIT: '0',
      MAIL_DIGEST_INTERVAL: '7h',
      WEBHOOK_RETRY_SCHEDULE: '5s,secret',
      WEBHOOK_TIMEOUT: '0s',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'secret',
      OUTBOUND_ALLOW: '10/8',
      ENCRYPTION_KEY: 'secret',
      EVENT_RETENTION: '30 secrets',
      MEDIA_MAX_BYTES: '25MB',
      MEDIA_TYPES: 'secret',
      VARIANTS_MAX_BYTES: '1000',
      S3_ENDPOINT: 'https://s3.example',
      LOG_LEVEL: 'secret',
      LOG_REQUESTS: 'secret',
    };
    const error = await loadConfig({ ...wrong, DATA_DIR, NODE_ENV: 'production' }).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(ConfigError);
    const { message, problems } = error as ConfigError;
    for (const name of Object.keys(wrong).filter((name) => name !== 'S3_ENDPOINT')) {
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name}\\b`)));
    }
    expect(problems.filter((problem) => problem.startsWith('S3_'))).toHaveLength(3);
    expect(message).not.toMatch(/\bsecrets?\b/);
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it.each(['10/8', '10.0.0.0', '010.0.0.0/8', '10.0.0.0/33', 'fd00::/129', 'localhost/8'])(
    'refuses %s as a range in OUTBOUND_ALLOW',
    async (OUTBOUND_ALLOW) => {
      await expect(loadConfig({ DATA_DIR, OUTBOUND_ALLOW })).rejects.toThrow('OUTBOUND_ALLOW must be');
    },
  );

  describe('without tenants', () => {
    it('creates a demo tenant with a constant key in a file that only its owner can read', async () => {
      const { demo, tenants } = await loadConfig({ DATA_DIR });
      expect(demo).toEqual({ tenantId: 'ten_demo', key: expect.stringMatching(/^tvt_[\w-]{43}$/) });
      expect(tenants).toMatchObject([
        { id: 'ten_demo', name: 'Demo', apiKeys: [{ hash: hashOf(demo!.key), scopes: ['*'] }] },
      ]);

      expect((await loadConfig({ DATA_DIR })).demo).toEqual(demo);
      for (const name of ['demo-key', 'encryption-key']) {
        expect((await stat(join(DATA_DIR, name))).mode & 0o777).toBe(0o600);
      }
    });

    it('agrees on one key and one encryption key when several processes start at once', async () => {
      const configs = await Promise.all(
        Array.from({ length: 8 }, () => loadConfig({ DATA_DIR: join(DATA_DIR, 'new') })),
      );

      expect(new Set(configs.map(({ demo }) => demo!.key)).size).toBe(1);
      expect(new Set(configs.map(({ encryptionKeys }) => encryptionKeys[0]!.toString('hex'))).size).toBe(1);
      expect((await readdir(join(DATA_DIR, 'new'))).sort()).toEqual(['demo-key', 'encryption-key']);
    });

    it('refuses production, where nothing is generated', async () => {
      const error = await loadConfig({ DATA_DIR, NODE_ENV: 'production' }).catch((error: unknown) => error);
      expect((error as ConfigError).problems).toEqual([
        expect.stringContaining('ENCRYPTION_KEY is required'),
        expect.stringContaining('TENANTS or TENANTS_FILE is required'),
      ]);
    });

    it('refuses a damaged file of the encryption key', async () => {
      await writeFile(join(DATA_DIR, 'encryption-key'), 'damaged');
      await expect(loadConfig({ DATA_DIR })).rejects.toThrow('damaged encryption-key');
    });
  });

  it('reads tenants from a file that starts with a byte order mark', async () => {
    const TENANTS_FILE = join(DATA_DIR, 'tenants.json');
    await writeFile(TENANTS_FILE, `\uFEFF${TENANTS}`);
    expect((await loadConfig({ DATA_DIR, TENANTS_FILE })).tenants).toMatchObject([{ id: 'ten_acme' }]);
  });

  it('refuses a TENANTS_FILE that does not exist or is set together with TENANTS', async () => {
    const TENANTS_FILE = join(DATA_DIR, 'none.json');
    await expect(loadConfig({ DATA_DIR, TENANTS_FILE })).rejects.toThrow('TENANTS_FILE cannot be read (ENOENT)');
    await expect(loadConfig({ DATA_DIR, TENANTS_FILE, TENANTS })).rejects.toThrow('cannot be used together');
  });

  it('reads exactly the variables that .env.example lists', async () => {
    const example = await readFile('.env.example', 'utf8');
    const listed = [...example.matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    const environment = new Environment({});
    readVariables(environment, []);

    expect(listed.sort()).toEqual([...environment.names].sort());
  });

  describe('of the commands backup, restore and reencrypt', () => {
    it('reads the location of the data, and generates nothing', async () => {
      expect(loadDataConfig({ DATA_DIR, NODE_ENV: 'production', INIT_CWD: '/home/admin' })).toEqual({
        extensions: [],
        dataDir: DATA_DIR,
        databaseUrl: undefined,
        bucket: undefined,
        encryptionKeys: undefined,
        calledFrom: '/home/admin',
      });
      expect(await readdir(DATA_DIR)).toEqual([]);
    });

    it('lists every problem by the name of its variable, and prints no value', () => {
      const wrong = { DATABASE_URL: 'mysql://u:secret@h/x', ENCRYPTION_KEY: 'secret', S3_BUCKET: 'secret' };
      expect(() => loadDataConfig(wrong)).toThrow(ConfigError);
      for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
        expect(() => loadDataConfig(wrong)).toThrow(`- ${name} `);
      }
      expect(() => loadDataConfig(wrong)).not.toThrow('secret@');
    });

    it('has the encryption keys that are set, otherwise the generated one, otherwise none', async () => {
      expect(await currentEncryptionKeys(loadDataConfig({ DATA_DIR, ENCRYPTION_KEY: KEY }))).toEqual([
        Buffer.alloc(32, 7),
      ]);
      expect(await currentEncryptionKeys(loadDataConfig({ DATA_DIR }))).toEqual([]);
      const { encryptionKeys } = await loadConfig({ DATA_DIR });
      expect(await currentEncryptionKeys(loadDataConfig({ DATA_DIR }))).toEqual(encryptionKeys);
      await writeFile(join(DATA_DIR, 'encryption-key'), 'damaged');
      await expect(currentEncryptionKeys(loadDataConfig({ DATA_DIR }))).rejects.toThrow('damaged encryption-key');
    });
  });
});
