import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileErrors } from '../support/compile.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['docs/reference/client.md', 'docs/how-to/use/live-preview.md', 'client/README.md'];

/** What a snippet goes on from, unless it creates a client itself: with a schema that has locales if it names one. */
const BEGUN = `import { createClient } from '@trivet/client';
import type { Schema } from './SCHEMA.js';
const trivet = createClient<Schema>({ url: '', tenant: 'ten_acme' });
`;

describe('the snippets about the client', () => {
  it.each(PAGES)('compile in %s', async (page) => {
    const text = await readFile(join(ROOT, page), 'utf8');
    const snippets = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    expect(snippets.length).toBeGreaterThan(0);
    const files = snippets.map((code, index) => {
      const isWhole = code.includes('= createClient') || !code.includes('trivet.');
      const begun = BEGUN.replace('SCHEMA', code.includes('locale') ? 'multilingual-schema' : 'trivet-schema');
      return [`snippet-${index + 1}.ts`, isWhole ? code : `${begun}${code}`];
    });
    const [magazine, multilingual] = await Promise.all(
      ['magazine', 'multilingual'].map((name) => readFile(join(import.meta.dirname, `types/${name}.ts`), 'utf8')),
    );
    const schemas = { 'trivet-schema.ts': magazine ?? '', 'multilingual-schema.ts': multilingual ?? '' };
    expect(compileErrors({ ...Object.fromEntries(files), ...schemas })).toEqual([]);
  });
});
