import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** What the checks need of the project, except for its files at the top. */
const FOLDERS = ['src', 'extensions', 'client', 'test', 'scripts', 'bench'];

describe('npm run new', () => {
  let copy: string;
  const run = async (...[command = '', ...rest]: string[]): Promise<string> => {
    // Jest sets NODE_ENV and its own variables, which the commands must not inherit.
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const bin = join('node_modules/.bin', command);
    const args = command === 'node' ? rest : [bin, ...rest];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: copy, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${command} ${rest.join(' ')} failed:\n${stdout}\n${stderr}`);
    });
    return stdout;
  };
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'trivet-new-'));
    const files = (await readdir(ROOT, { withFileTypes: true })).filter((entry) => entry.isFile());
    const names = [...FOLDERS, ...files.map(({ name }) => name).filter((name) => !name.startsWith('.env'))];
    const filter = (path: string) => !path.endsWith('node_modules');
    await Promise.all(names.map((name) => cp(join(ROOT, name), join(copy, name), { recursive: true, filter })));
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    await mkdir(join(copy, '.cache'));
    await run('node', 'scripts/new.mjs', 'module', 'price-lists');
    await run('node', 'scripts/new.mjs', 'subscriber', 'help-desk');
    await run('node', 'scripts/new.mjs', 'field', 'postal-code');
  }, 240_000);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  const EXTENSIONS = ['extensions/price-lists', 'extensions/help-desk'];
  const CREATED = [...EXTENSIONS, 'src/fields/types/postal-code.ts', 'src/fields/types/postal-code.spec.ts'];
  const CHANGED = [...CREATED, 'src/fields/registry.ts'];

  it('creates files that are formatted', async () => {
    await run('prettier', '--check', ...CHANGED);
  }, 240_000);

  it('creates files that pass lint', async () => {
    await run('eslint', '--max-warnings', '0', ...CHANGED);
  }, 360_000);

  it('creates files that compile', async () => {
    // The created files and all that they import, because the whole project takes a minute.
    const options = { noEmit: true, tsBuildInfoFile: '.cache/tsbuildinfo' };
    const project = { extends: './tsconfig.json', compilerOptions: options, include: [...CREATED, 'src/**/*.d.ts'] };
    await writeFile(join(copy, 'tsconfig.new.json'), JSON.stringify(project));
    await run('tsc', '-p', 'tsconfig.new.json');
  }, 360_000);

  it('creates tests that pass', async () => {
    const cache = ['--cacheDirectory', join(copy, '.cache/jest')];
    await run('jest', '--maxWorkers=1', ...cache, ...EXTENSIONS, 'src/fields/types/postal-code');
  }, 360_000);

  it('never overwrites anything', async () => {
    for (const [kind, name] of [
      ['module', 'price-lists'],
      ['module', 'redirects'],
      ['subscriber', 'redirects'],
      ['field', 'postal-code'],
      ['field', 'email'],
    ] as const) {
      await expect(run('node', 'scripts/new.mjs', kind, name)).rejects.toThrow('exists already');
    }
  });

  it.each([
    [],
    ['nope'],
    ['module'],
    ['subscriber'],
    ['module', 'Price Lists'],
    ['field', '../x'],
    ['module', 'sheep'],
  ])('explains itself when it is called wrongly: %j', async (...args) => {
    await expect(run('node', 'scripts/new.mjs', ...args)).rejects.toThrow(/Usage|A name has|Give the plural/);
  });
});
