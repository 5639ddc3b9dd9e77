/**
 * Checks the trees of src, cli/src and console/src, without the compiler: `npm run check -- tree`. Folders stay small, a name means one thing, a file exports what others
 * use, and names use the words of docs/reference/glossary.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_FILES = 30;
const READ = ['src', 'extensions', 'test', 'bench', 'scripts', 'client/src', 'cli/src', 'console/src'];
/** Whose exports and folders are checked. The console and the command line share no code with the service. */
const TREES = ['src/', 'cli/src/', 'console/src/'];
const EXPORT = /^export (?:abstract |async )*(?:class|interface|type|function\*?|const|enum) (\w+)/gm;
/** Files whose exports are found by their place or their name: tables by the manifests, hooks by Node, commands by npm. */
const BY_PLACE = /\.tables\.ts$|\/migrations\/|trivet-imports\.ts$/;
/** Words that the glossary replaces, and what it says instead. */
const REPLACED = {
  room: 'module, manifest',
  turns: 'queue, permit',
  lanes: 'concurrency',
  gate: 'semaphore',
  shares: 'quotas',
};

const files = [
  'ormconfig.ts',
  ...READ.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|txt)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)),
  ),
];
const sources = files.filter((file) => isIn(TREES, file) && !file.endsWith('.spec.ts'));
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

const problems = [...largeFolders(), ...replacedWords(), ...TREES.flatMap(exportProblems)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function largeFolders() {
  const counts = new Map();
  for (const file of files.filter((one) => isIn(TREES, one)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} files. A folder has at most ${MAX_FILES}: give a noun its own.`);
}

function replacedWords() {
  return sources.flatMap((file) =>
    basename(file)
      .split(/[-.]/)
      .filter((word) => Object.hasOwn(REPLACED, word))
      .map((word) => `${file}: the glossary says ${REPLACED[word]} instead of "${word}".`),
  );
}

function isIn(trees, file) {
  return trees.some((tree) => file.startsWith(tree));
}

function exportProblems(tree) {
  const declaredIn = new Map();
  for (const file of sources.filter((one) => one.startsWith(tree) && !BY_PLACE.test(one)))
    for (const [, name] of texts.get(file).matchAll(EXPORT))
      declaredIn.set(name, (declaredIn.get(name) ?? new Set()).add(file));
  const mentions = mentionsOf(tree, new Set(declaredIn.keys()));
  return [...declaredIn].flatMap(([name, declaring]) => {
    if (declaring.size > 1)
      return [`${name} is exported by several files: ${[...declaring].join(', ')}. Give each a name of its own.`];
    const [file] = declaring;
    return mentions.get(name).size > 1 ? [] : [`${file}: no other file uses ${name}. Do not export it.`];
  });
}

/** The files that contain each name. */
function mentionsOf(tree, names) {
  const mentions = new Map([...names].map((name) => [name, new Set()]));
  for (const [file, text] of texts)
    if (tree === 'src/' ? !file.startsWith('console/') && !file.startsWith('cli/') : file.startsWith(tree))
      for (const [word] of text.matchAll(/\w+/g)) mentions.get(word)?.add(file);
  return mentions;
}
