import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { backUp } from '../../src/backup/backup.js';
import { restore } from '../../src/backup/restore.js';
import { loadDataConfig } from '../../src/config/data-config.js';
import { claimDatabase } from '../../src/database/servers/reach-database.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { tablesOfModules } from '../../src/modules/tables.js';
import { Reencryption, ReencryptionSession } from '../../src/secrets/reencrypt.js';
import { keyIdIn, keyIdOf, SecretCipher } from '../../src/secrets/secret-cipher.js';
import { startApp } from '../support/app.js';
import { contentsOf } from '../support/backups.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { type LetterOfTest, newInvitation, storedLetter, writeLetter } from '../support/letters.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const TENANT = { id: 'ten_keys' };
const TENANTS = JSON.stringify([{ id: TENANT.id, name: 'Keys', api_keys: [{ key: 'the-key-of-keys' }] }]);
const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const base64 = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

describe('letters that wait', () => {
  let server: MailServer;
  let database: TestDatabase;
  let directory: string;
  let letter: LetterOfTest;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await createDatabase();
    directory = await mkdtemp(join(tmpdir(), 'trivet-letters-'));
    letter = newInvitation(TENANT);
    const api = await startApp({ TENANTS, ROLE: 'api', ENCRYPTION_KEY: base64(OLD) }, { database });
    await writeLetter(api, letter);
    await api.close();
  });
  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const startWorker = async (on: TestDatabase, ...keys: Buffer[]) => {
    const app = await startApp({ TENANTS, SMTP_URL: server.url, ENCRYPTION_KEY: base64(...keys) }, { database: on });
    Object.assign(app.get(MailTimes), { schedule: Array.from({ length: 50 }, () => 50) });
    return app;
  };
  const reencrypt = async (...keys: Buffer[]) => {
    const client = new pg.Client(database.url);
    await client.connect();
    const { encrypted } = await tablesOfModules();
    return new Reencryption(new ReencryptionSession(client), encrypted, new SecretCipher(keys))
      .run()
      .finally(() => client.end());
  };

  it('are encrypted with the new key by npm run reencrypt, and sent by a service that has only this key', async () => {
    expect(await reencrypt(NEW, OLD)).toEqual({ reencrypted: 1, current: 0, forgotten: 0, failures: [] });
    expect(keyIdIn((await storedLetter(database, letter))?.content ?? '')).toBe(keyIdOf(NEW));
    const worker = await startWorker(database, NEW);
    const [mail] = await server.until(letter.address, 1);
    expect(mail?.text).toContain(letter.token);
    await until(async () => (await storedLetter(database, letter))?.status === 'sent');
    await worker.close();
    expect(await reencrypt(NEW)).toMatchObject({ reencrypted: 0, current: 0 });
  });

  it('are named by npm run reencrypt if their key is missing, and are sent when it is there again', async () => {
    const { failures } = await reencrypt(NEW);
    expect(failures).toEqual([
      expect.stringMatching(
        new RegExp(`^mail_\\w{26} of ten_keys: The secret was encrypted with the encryption key ${keyIdOf(OLD)},`),
      ),
    ]);
    const without = await startWorker(database, NEW);
    const refused = await until(async () => {
      const row = await storedLetter(database, letter);
      return row?.last_error !== null && row;
    });
    await without.close();
    expect(refused).toMatchObject({ status: 'pending', last_error: expect.stringContaining(keyIdOf(OLD)) });
    const worker = await startWorker(database, NEW, OLD);
    await server.until(letter.address, 1);
    await worker.close();
  });

  // A database that is distributed cannot be backed up (citus.e2e-spec.ts).
  itOnPlain(
    'are in a backup, unreadable without the key, and with a token that a restore ends they are canceled',
    async () => {
      const config = loadDataConfig({ DATA_DIR: directory, ENCRYPTION_KEY: base64(OLD) });
      const path = join(directory, 'backup.tar');
      await backUp({ config, url: database.url, path, withoutKeys: true });
      const { tables } = await contentsOf(path);
      expect(tables['letters']).toEqual([expect.stringContaining(letter.letter.id)]);
      expect(JSON.stringify(tables)).not.toMatch(new RegExp(`${letter.token}|${letter.address}`, 'i'));

      const target = await createDatabase({ empty: true });
      const place = loadDataConfig({
        DATA_DIR: join(directory, 'restored'),
        DATABASE_URL: target.url,
        ENCRYPTION_KEY: base64(NEW),
      });
      const log = { info: () => undefined, error: console.error };
      const openDatabase = () => claimDatabase({ ...place, log });
      const { missingKeys } = await restore({ config: place, path, withoutKeys: true, openDatabase });
      expect(missingKeys).toEqual([]);
      expect(await target.query('SELECT status, content FROM letters')).toEqual([
        { status: 'canceled', content: null },
      ]);
      await target.drop();
    },
  );
});
