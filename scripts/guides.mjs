/**
 * Renders docs/ to the guides that the service serves at /guides: `pages.json` and `search.json` in dist/guides, or in the folder of `--out`.
 * With `--check` it writes nothing, and fails if a link of a Markdown file leads nowhere, a page is too long, or no list names it.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkRepository } from './guides/check.mjs';
import { renderGuides } from './guides/render.mjs';

const ROOT = resolve(import.meta.dirname, '..');

if (process.argv.includes('--check')) check();
else write(process.argv[process.argv.indexOf('--out') + 1] ?? '');

function check() {
  const faults = checkRepository(ROOT);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log('The links, lengths and lists of the documentation are right.');
}

function write(out) {
  const folder = process.argv.includes('--out') ? resolve(out) : join(ROOT, 'dist/guides');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(renderGuides(ROOT))) {
    // A service that reads the file sees the old one or the new one as a whole.
    const unfinished = join(folder, `${name}.${process.pid}`);
    writeFileSync(unfinished, JSON.stringify(content));
    renameSync(unfinished, join(folder, `${name}.json`));
  }
}
