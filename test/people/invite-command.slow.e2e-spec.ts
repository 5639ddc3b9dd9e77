import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, type Finished } from '../support/backups.js';
import { Service, useServices } from '../support/service.js';

jest.setTimeout(240_000);

const TENANT = 'ten_cli';
const TENANTS = JSON.stringify([
  { id: TENANT, name: 'Command', api_keys: [{ name: 'a', key: 'key-of-the-command-line' }] },
]);

describe('npm run invite', () => {
  const services = useServices();

  const run = (args: string[], env: Record<string, string> = {}): Promise<Finished> =>
    new Command('people/invite-command', args, { TENANTS, PORT: '0', DATA_DIR: services.dataDir, ...env }).finished;
  const invite = (email: string, role: string, env: Record<string, string> = {}) =>
    run(['--tenant', TENANT, '--email', email, '--role', role], env);
  const tokenIn = ({ stdout }: Finished) => /\/console\/invitation#(tvi_[\w-]{49})\n$/.exec(stdout)?.[1] ?? '';
  const accept = (url: string, token: string) =>
    fetch(`${url}/v1/invitations/${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Ada Lovelace', password: 'four unusual words of mine' }),
    });

  it('prints a link with which a running service lets an owner in, and replaces an earlier link', async () => {
    const env = { TENANTS, DATABASE_URL: services.database.url };
    const service = services.start(env);
    const url = await service.url();
    const first = await invite('ada@example.com', 'viewer', env);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`is invited to ${TENANT} as viewer`) });
    expect(first.stdout).toContain(`:${new URL(url).port}/console/invitation#`);
    const second = await invite('ADA@example.com', 'owner', env);
    expect((await accept(url, tokenIn(first))).status).toBe(404);
    const accepted = await accept(url, tokenIn(second));
    expect(accepted.status).toBe(201);
    expect(await accepted.json()).toMatchObject({ data: { tenants: [{ id: TENANT, role: 'owner' }] } });
    expect(await invite('ada@example.com', 'owner', env)).toMatchObject({
      code: 1,
      stderr: `ada@example.com is a member of ${TENANT} already.\n`,
    });
    expect(await invite('eve@example.com', 'nope', env)).toMatchObject({
      code: 1,
      stderr: `${TENANT} has no role nope.\n`,
    });
  });

  it('says what is missing', async () => {
    const env = { DATABASE_URL: services.database.url };
    expect(await run([], env)).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: npm run invite') });
    expect(await run(['--tenant', 'ten_x', '--email', 'a@b.example', '--role', 'owner'], env)).toMatchObject({
      code: 1,
      stderr: `There is no tenant ten_x. The tenants are ${TENANT}.\n`,
    });
    expect(await invite('nobody', 'owner', env)).toMatchObject({
      code: 1,
      stderr: 'nobody is not an email address.\n',
    });
  });

  it('works with the embedded database while the service is stopped', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trivet-invite-'));
    try {
      const env = { TENANTS, DATA_DIR: dataDir };
      const never = await invite('ada@example.com', 'owner', env);
      expect(never).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database in') });
      const before = new Service(env);
      await before.url();
      await before.stop();
      const printed = await invite('ada@example.com', 'owner', env);
      expect(printed.code).toBe(0);
      const service = new Service(env);
      const url = await service.url();
      expect((await accept(url, tokenIn(printed))).status).toBe(201);
      const running = await invite('grace@example.com', 'editor', env);
      expect((await accept(url, tokenIn(running))).status).toBe(201);
      await service.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
