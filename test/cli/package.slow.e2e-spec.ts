import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../support/service.js';

const run = promisify(execFile);

describe('the package of the command line', () => {
  let folder: string;
  beforeAll(async () => {
    await build();
    folder = await mkdtemp(join(tmpdir(), 'trivet-package-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('runs with npx in an empty folder, without any other package', async () => {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: 'cli' });
    const [{ filename, unpackedSize }] = JSON.parse(packed.stdout) as [{ filename: string; unpackedSize: number }];
    expect(unpackedSize).toBeLessThan(1_500_000);
    const empty = await mkdtemp(join(folder, 'empty-'));
    const options = ['--offline', '--yes', '--cache', join(folder, 'cache'), '--package', join(folder, filename)];
    const { stdout } = await run('npx', [...options, 'trivet', '--help'], { cwd: empty });
    expect(stdout).toContain('Usage: trivet');
  });
});
