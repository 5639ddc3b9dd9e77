import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';
import { ALL_FIELDS, FORM_FIELDS } from './hostile-types.js';

const ROOT = join(import.meta.dirname, '../..');
const LINTERS = join(ROOT, 'scripts/openapi-lint/node_modules/.installed-lock.json');
const GENERATORS = join(ROOT, 'test/clients/node_modules');

jest.setTimeout(600_000);

/** What somebody writes on the generated client. */
const USAGE = `
import { client } from './out/client.gen';
import { createPostEntry, listPostEntries, submitContactForm, type PostConditions } from './out';

client.setConfig({ baseUrl: 'https://cms.example', auth: 'tvt_x' });
const where: PostConditions = { price: { lt: 10 }, title: { contains: 'tide' } };
const { data } = await listPostEntries({ query: { where: JSON.stringify(where), sort: ['-price'], include: ['parent'] } });
const price: number | null | undefined = data?.data[0]?.fields.price;
await createPostEntry({ body: { fields: { title: 'Tides', stock: 2, tags: ['sea'], kind: 'a', price } } });
// @ts-expect-error It has no such kind.
await createPostEntry({ body: { fields: { title: 'Tides', kind: 'z' } } });
// @ts-expect-error The title is required.
await createPostEntry({ body: { fields: { stock: 2 } } });
await submitContactForm({ body: { fields: { name: 'Ada', email: 'ada@example.com', agree: 'true' } } });
`;

describe('the contract of a tenant with every type of field', () => {
  let app: TestApp;
  let folder: string;
  let contract: string;
  beforeAll(async () => {
    app = await startApp();
    folder = await mkdtemp(join(tmpdir(), 'trivet-contract-'));
    contract = join(folder, 'contract.json');
    const { id, http } = app.tenant();
    const types = `/v1/content/${id}/types`;
    await http.post(types, { name: 'A', slug: 'a1', fields: [{ name: 'name', type: 'text' }] }).expect(201);
    await http.post(types, { name: 'Post', slug: 'post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    // In TypeScript, no object literal fits a property toString that is a text.
    const fields = ALL_FIELDS.map((field) =>
      'name' in field && field.name === 'toString' ? { ...field, name: 'note' } : field,
    );
    await http.put(`${types}/post`, { fields }).expect(200);
    await http.post(`/v1/forms/${id}`, { name: 'Contact', slug: 'contact', fields: FORM_FIELDS }).expect(201);
    const { text } = await http.get(`/v1/contract/${id}/openapi.json`).expect(200);
    await writeFile(contract, text);
  });
  afterAll(() => Promise.all([app.close(), rm(folder, { recursive: true, force: true })]));

  /** Without the variables of Jest. Returns the output, also of a failure. */
  const run = async (program: string, parameters: readonly string[], cwd: string) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const failed = (error: { stdout: string; stderr: string }) => ({ ...error, isRight: false });
    const { stdout, stderr, isRight } = await promisify(execFile)(program, parameters, { cwd, env }).then(
      (output) => ({ ...output, isRight: true }),
      failed,
    );
    return { isRight, output: (stdout + stderr).slice(0, 5_000) };
  };

  /** Tests that need packages of their own are skipped without them, and say how to install them. */
  const itWith = (path: string) => (existsSync(path) ? it : it.skip);

  itWith(LINTERS)('has no error and no warning of the linters, which npm run lint:openapi installs', async () => {
    const { isRight, output } = await run('sh', ['scripts/lint-openapi.sh', contract], ROOT);
    expect({ isRight, output }).toEqual({ isRight: true, output: expect.stringContaining('0 errors, 0 warnings') });
  });

  itWith(join(GENERATORS, '.bin'))(
    'becomes a client that compiles, by the generator that npm ci --prefix test/clients installs',
    async () => {
      const generator = [
        join(GENERATORS, '.bin/openapi-ts'),
        '--input',
        contract,
        '--output',
        'out',
        '--silent',
        '--no-log-file',
      ];
      expect(await run(join(GENERATORS, 'node/bin/node'), generator, folder)).toMatchObject({ isRight: true });
      await writeFile(join(folder, 'usage.ts'), USAGE);
      await cp(join(ROOT, 'test/clients/tsconfig.json'), join(folder, 'tsconfig.json'));
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      expect(await run(process.execPath, [compiler, '-p', folder], folder)).toEqual({ isRight: true, output: '' });
    },
  );
});
