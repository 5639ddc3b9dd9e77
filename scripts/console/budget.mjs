import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of script and style, compressed with gzip: what a browser loads before it can show the page. */
const FIRST_LOAD = 170_000;
const SCREEN = 60_000;
/** What is loaded only where it is used, and has no budget. */
const APART = /\b(chart|editor)-/;
/** What stands around every screen of a tenant. An address loads it, and its screen, after the first load. */
const SHELL = 'src/shell/tenant-pages.tsx';
/** The page of the first load. */
const SIGN_IN = 'src/screens/sign-in/sign-in.tsx';

/** Returns a sentence for each page of the build that is too large. `folder` has the files and Vite's manifest. */
export async function checkBudget(folder) {
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'));
  const entry = filesOf(manifest, 'index.html');
  const screens = Object.keys(manifest).filter((name) => manifest[name].isDynamicEntry && !APART.test(name));
  const problems = [];
  const check = async (name, files, budget) => {
    const bytes = await bytesOf(folder, files);
    if (process.env.SIZES) console.error(`${String(bytes).padStart(7)} of ${budget} ${name}`);
    if (bytes > budget) problems.push(`${name} loads ${bytes} bytes. The budget is ${budget}.`);
  };
  await check(SIGN_IN, union(entry, manifest[SIGN_IN] ? filesOf(manifest, SIGN_IN) : new Set()), FIRST_LOAD);
  const shell = union(entry, filesOf(manifest, SHELL));
  for (const name of screens) {
    const own = [...filesOf(manifest, name)].filter((file) => !shell.has(file));
    await check(name, own, SCREEN);
    await check(`The address of ${name}`, union(shell, own), FIRST_LOAD + SCREEN);
  }
  return problems;
}

/** The scripts and styles that a chunk loads at once. */
function filesOf(manifest, name, seen = new Set()) {
  if (seen.has(name)) return new Set();
  seen.add(name);
  const { file, css = [], imports = [] } = manifest[name];
  return union([file, ...css], ...imports.map((each) => filesOf(manifest, each, seen)));
}

function union(...lists) {
  return new Set(lists.flatMap((list) => [...list]));
}

async function bytesOf(folder, files) {
  const sizes = await Promise.all([...files].map(async (file) => (await stat(join(folder, `${file}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
