import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

const unindented = (text: string) => text.replace(/^ +/gm, '');

describe('the guide "Build a site"', () => {
  it('shows code of the example, line by line', async () => {
    const folder = join(ROOT, 'examples/site');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const guide = await readFile(join(ROOT, 'docs/tutorials/first-site.md'), 'utf8');
    const snippets = [...guide.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    expect(snippets.length).toBeGreaterThan(8);
    expect(snippets.filter((code) => !texts.some((text) => unindented(text).includes(unindented(code))))).toEqual([]);
  });
});
