import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Statement } from '../../src/database/statements/statement.js';
import { Reencryption, ReencryptionSession } from '../../src/secrets/reencrypt.js';
import { keyIdOf, SecretCipher, keyIdIn } from '../../src/secrets/secret-cipher.js';
import { encrypted } from '../../src/webhooks/webhooks.tables.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Command, type Finished } from '../support/backups.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { uuidOf } from '../support/backup-writer.js';
import { build } from '../support/service.js';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const base64 = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

interface Row {
  tenant_id: string;
  id: string;
  secret: string | null;
  signing_key: string | null;
  previous_secrets: { secret: string; until: string }[] | null;
}

jest.setTimeout(240_000);

describe('npm run reencrypt', () => {
  let database: TestDatabase;
  let app: TestApp;
  let dataDir: string;
  let before: TestApp;
  let tenant: TestTenant;

  beforeAll(build);
  beforeEach(async () => {
    database = await createDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'trivet-reencrypt-'));
    // The service before and after the new key was added in front.
    before = await startApp({ ENCRYPTION_KEY: base64(OLD) }, { database });
    app = await startApp({ ENCRYPTION_KEY: base64(NEW, OLD), TENANTS: tenantsOf(before) }, { database });
    tenant = before.tenant();
  });
  afterEach(async () => {
    await Promise.all([app.close(), before.close()]);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A configuration that contains the tenant of the test. */
  function tenantsOf({ config }: TestApp): string {
    const keyed = ({ name, hash }: { name: string; hash: Buffer }) => ({ name, key: `sha256:${hash.toString('hex')}` });
    return JSON.stringify(config.tenants.map(({ id, name, apiKeys }) => ({ id, name, api_keys: apiKeys.map(keyed) })));
  }

  const subscribe = async (owner: TestTenant, secret?: string): Promise<string> => {
    const body = { url: 'https://example.com/', events: ['entry.created'], ...(secret && { secret }) };
    return (await owner.http.post(`/v1/webhooks/${owner.id}`, body).expect(201)).body.data.id as string;
  };
  const patch = (api: TestApp, id: string, secret: string) =>
    api.client(`Bearer ${tenant.key}`).patch(`/v1/webhooks/${tenant.id}/${id}`, { secret }).expect(200);
  const run = (env: Record<string, string> = {}): Promise<Finished> =>
    new Command('secrets/reencrypt-command', [], {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: base64(NEW, OLD),
      ...env,
    }).finished;
  const rows = () => database.query<Row & Record<string, unknown>>('SELECT * FROM webhooks');
  /** The secrets of a webhook, decrypted with the new key only. */
  const decrypted = async (id: string) => {
    const { secret, previous_secrets: previous } = (await rows()).find((row) => row.id === uuidOf('wh', id))!;
    const cipher = new SecretCipher([NEW]);
    const all = [secret, ...(previous ?? []).map((each) => each.secret)];
    return all.map((encrypted) => encrypted && cipher.decrypt(encrypted, `${tenant.id}/${uuidOf('wh', id)}`));
  };

  it('encrypts current and previous secrets of all tenants with the first key, and reports how many', async () => {
    await subscribe(tenant);
    const id = await subscribe(tenant, 'first');
    await patch(before, id, 'second');
    // More than one batch.
    for (let count = 0; count < 130; count++) await subscribe(tenant, `secret ${count}`);
    await subscribe(before.tenant(), 'of another tenant');

    const summary = `Encrypted again with the encryption key ${keyIdOf(NEW)}`;
    const first = await run();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(`${summary}: 133. Already encrypted with it: 0. Expired and removed: 0.\n`);
    expect(await decrypted(id)).toEqual(['second', 'first']);
    for (const { secret } of await rows()) if (secret) expect(keyIdIn(secret)).toBe(keyIdOf(NEW));

    const second = await run({ ENCRYPTION_KEY: base64(NEW) });
    expect(second).toMatchObject({
      code: 0,
      stdout: `${summary}: 0. Already encrypted with it: 133. Expired and removed: 0.\n`,
    });
  });

  it('encrypts private keys with the first key', async () => {
    const api = before.client(`Bearer ${tenant.key}`);
    const body = { url: 'https://example.com/', events: ['entry.created'], signature: 'ed25519' };
    await api.post(`/v1/webhooks/${tenant.id}`, body).expect(201);
    expect(keyIdIn((await rows())[0]!.signing_key!)).toBe(keyIdOf(OLD));
    expect((await run()).stdout).toContain(': 1. ');
    expect(keyIdIn((await rows())[0]!.signing_key!)).toBe(keyIdOf(NEW));
  });

  it('names the webhooks whose secrets no key decrypts, reencrypts the others, and exits with 1', async () => {
    const [lost, altered, fine] = [
      await subscribe(tenant, 'a'),
      await subscribe(tenant, 'b'),
      await subscribe(tenant, 'c'),
    ];
    const foreign = new SecretCipher([Buffer.alloc(32, 3)]).encrypt('a', `${tenant.id}/${uuidOf('wh', lost)}`);
    await database.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [uuidOf('wh', lost), foreign]);
    await database.query(`UPDATE webhooks SET secret = left(secret, -2) || 'AA' WHERE id = $1`, [
      uuidOf('wh', altered),
    ]);
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stdout).toContain(': 1. ');
    expect(stderr.trimEnd().split('\n').sort()).toEqual(
      [
        `${lost} of ${tenant.id}: The secret was encrypted with the encryption key ${keyIdOf(Buffer.alloc(32, 3))}, which is not configured.`,
        `${altered} of ${tenant.id}: The encrypted secret was altered, or belongs to another record.`,
      ].sort(),
    );
    expect(await decrypted(fine)).toEqual(['c']);
    const row = (await rows()).find(({ id }) => id === uuidOf('wh', lost));
    expect(row?.secret).toBe(foreign);
  });

  it('deletes expired previous secrets, also those that an unknown key encrypted', async () => {
    const id = await subscribe(tenant, 'first');
    await patch(before, id, 'second');
    await database.query(
      `UPDATE webhooks SET previous_secrets = json_build_array(json_build_object('secret', 'v1.lost', 'until', now() - interval '1 s'))`,
    );
    const { code, stdout } = await run();
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(': 1. ') });
    expect(stdout).toContain('Expired and removed: 1.');
    expect(await decrypted(id)).toEqual(['second']);
  });

  it('uses the generated key if ENCRYPTION_KEY is not set, and fails without any key', async () => {
    const generated = await startApp({ DATA_DIR: dataDir }, { database });
    const id = await subscribe(generated.tenant(), 'a');
    await generated.close();
    const key = Buffer.from(await readFile(join(dataDir, 'encryption-key'), 'utf8'), 'base64');
    expect(await run({ ENCRYPTION_KEY: '' })).toMatchObject({ code: 0, stdout: expect.stringContaining(keyIdOf(key)) });
    expect(await run({ ENCRYPTION_KEY: `${base64(NEW)},${key.toString('base64')}` })).toMatchObject({ code: 0 });
    expect(keyIdIn((await rows()).find((row) => row.id === uuidOf('wh', id))!.secret!)).toBe(keyIdOf(NEW));
    await rm(join(dataDir, 'encryption-key'));
    const { code, stderr } = await run({ ENCRYPTION_KEY: '' });
    expect(code).toBe(1);
    expect(stderr).toContain('ENCRYPTION_KEY is not set, and DATA_DIR does not contain an encryption-key file.');
  });

  describe('while requests replace secrets', () => {
    /** Runs the command, and each request just before the first query with its name. */
    async function reencryptWith(requests: Record<string, () => Promise<unknown>>) {
      const client = new pg.Client(database.url);
      await client.connect();
      const session = new ReencryptionSession(client);
      const intercepted = {
        tenants: () => session.tenants(),
        async query<Parameters, Result>(
          tenantId: string,
          statement: Statement<Parameters, Result>,
          parameters: NoInfer<Parameters>,
        ) {
          const request = requests[statement.name];
          delete requests[statement.name];
          await request?.();
          return session.query(tenantId, statement, parameters);
        },
      };
      return new Reencryption(intercepted, encrypted, new SecretCipher([NEW, OLD])).run().finally(() => client.end());
    }

    it('keeps the new secret, and encrypts the replaced one', async () => {
      const id = await subscribe(tenant, 'first');
      const report = await reencryptWith({ 'reencrypt.replace_webhooks': () => patch(app, id, 'second') });
      expect(await decrypted(id)).toEqual(['second', 'first']);
      expect(report).toEqual({ reencrypted: 1, current: 1, forgotten: 0, failures: [] });
    });

    it('keeps the new secrets also when the previous secret is replaced', async () => {
      const id = await subscribe(tenant, 'first');
      await patch(before, id, 'second');
      const report = await reencryptWith({ 'reencrypt.replace_webhooks': () => patch(app, id, 'third') });
      expect(await decrypted(id)).toEqual(['third', 'second', 'first']);
      expect(report).toEqual({ reencrypted: 2, current: 1, forgotten: 0, failures: [] });
    });

    it('ignores a webhook that was deleted', async () => {
      const id = await subscribe(tenant, 'first');
      const remove = () => tenant.http.delete(`/v1/webhooks/${tenant.id}/${id}`).expect(200);
      const report = await reencryptWith({ 'reencrypt.replace_webhooks': remove });
      expect(report).toEqual({ reencrypted: 0, current: 0, forgotten: 0, failures: [] });
    });
  });
});
