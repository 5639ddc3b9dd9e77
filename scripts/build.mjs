/** Compiles the service and its extensions into `dist`: `npm run build`. Their types are checked by `npm run check -- types`. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist');
const TEST = /\.(e2e-)?spec\.ts$|\.scenario\.ts$|\.d\.ts$/;

await rm(OUT, { recursive: true, force: true });
const files = (await Promise.all(['src', 'extensions'].map(sourcesIn))).flat();
const results = await Promise.allSettled(files.map(build));
for (const { reason } of results) if (reason) console.error(reason.message);
if (results.some(({ status }) => status === 'rejected')) process.exit(1);

async function sourcesIn(folder) {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts') && !TEST.test(name)).map((name) => join(folder, name));
}

async function build(file) {
  const out = join(OUT, file.replace(/\.ts$/, '.js'));
  const { code, map } = await compile(join(ROOT, file));
  await mkdir(dirname(out), { recursive: true });
  const sourceMap = JSON.parse(await readFile(map, 'utf8'));
  sourceMap.sources = [relative(dirname(out), join(ROOT, file))];
  await writeFile(`${out}.map`, JSON.stringify({ ...sourceMap, sourcesContent: undefined }));
  await writeFile(out, `${code}\n//# sourceMappingURL=${basename(out)}.map\n`);
}
