import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/key.mjs', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });

describe('npm run key', () => {
  it('prints a key and its hash', () => {
    const { status, stdout } = run();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^API key {3}tvt_[\w-]{43}\nHash {6}sha256:[0-9a-f]{64}\n/);
  });

  it('makes no key if it is asked for help, or called wrongly', () => {
    expect(run('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm run key\n/),
    });
    expect(run('--nope')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown argument: --nope\n\nUsage: npm run key\n/),
    });
  });
});
