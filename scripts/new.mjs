/**
 * Creates the files of a new part of the service, which pass all checks as they are: `npm run new -- module bookmarks`,
 * `npm run new -- subscriber crm`, `npm run new -- field color`. The templates are in scripts/new. Never overwrites a file.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = join(ROOT, 'scripts/new');
/** The tests that an extension must pass: docs/how-to/develop/add-an-extension.md. */
const WHOLE_SERVICE = '/(entities|idempotency|scopes|statements|updates|whole-service).thorough';
const USAGE = `Usage:
  npm run new -- module bookmarks [bookmark] an extension with a table, endpoints and events; plural and singular
  npm run new -- subscriber crm              an extension that processes events, with a table of its work
  npm run new -- field color                 a type of content fields
`;

const KINDS = { module: newModule, subscriber: newSubscriber, field: newField };

class UsageError extends Error {}

async function newModule([plural, singular = singularOf(plural)]) {
  const names = { ...namesOf(singular), ...pluralsOf(plural), timestamp: String(Date.now()) };
  if (plural === singular)
    throw new UsageError(`Give the plural and the singular: npm run new -- module ${plural} SINGULAR`);
  const folder = `extensions/${plural}`;
  if (existsSync(join(ROOT, folder))) throw new UsageError(`${folder} exists already.`);
  names.prefix = freePrefix(singular, await takenPrefixes());
  names.letters = plural.replaceAll('-', '').slice(0, 40);
  await writeTemplates('module', folder, names);
  return `
Test it:   npm run test:one -- ${folder}
Check it:  EXTENSIONS=${plural} npm test -- '${WHOLE_SERVICE}'
Run it:    EXTENSIONS=${plural} npm run dev`;
}

async function newSubscriber([name]) {
  const names = { ...namesOf(name), timestamp: String(Date.now()) };
  const folder = `extensions/${name}`;
  if (existsSync(join(ROOT, folder))) throw new UsageError(`${folder} exists already.`);
  await writeTemplates('subscriber', folder, names);
  return `
Write what it does in ${folder}/${name}-subscriber.ts.
Test it:   npm run test:one -- ${folder}
Check it:  EXTENSIONS=${name} npm test -- '${WHOLE_SERVICE}'
Run it:    EXTENSIONS=${name} npm run dev`;
}

async function newField([name]) {
  const names = namesOf(name);
  const file = `src/fields/types/${name}.ts`;
  if (existsSync(join(ROOT, file))) throw new UsageError(`${file} exists already.`);
  await register(names);
  await writeTemplates('field', 'src/fields/types', names);
  return `
It is named in src/fields/registry.ts. Now change the format of its values in ${file}, and the values in its test.
Test it:   npm run test:unit -- src/fields
Then run:  npm run openapi
Fuzz it:   add values to test/fuzz/generators/fields.mjs`;
}

/** Names the field type in the registry, as the last one of the content fields. */
async function register({ snake, camel, kebab }) {
  const path = join(ROOT, 'src/fields/registry.ts');
  const text = await readFile(path, 'utf8');
  const content = /(const CONTENT: FieldTypes = \{[^}]*)\n\};/;
  const imports = /(import [^;]* from '\.\/types\/[^']*';\n)(?![^]*from '\.\/types\/)/;
  if (!content.test(text) || !imports.test(text)) throw new Error(`${path} has changed: adapt scripts/new.mjs.`);
  if (new RegExp(`\\b${snake}[,:]`).test(content.exec(text)[1]))
    throw new UsageError(`The type ${snake} exists already.`);
  const entry = snake === camel ? camel : `${snake}: ${camel}`;
  await writeFormatted(
    path,
    text
      .replace(imports, `$1import { ${camel} } from './types/${kebab}.js';\n`)
      .replace(content, `$1\n  ${entry},\n};`),
  );
}

async function writeTemplates(kind, folder, names) {
  const files = await readdir(join(TEMPLATES, kind), { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.txt'))) {
    const path = fill(join(folder, file.replace(/\.txt$/, '')), names);
    const text = fill(await readFile(join(TEMPLATES, kind, file), 'utf8'), names);
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFormatted(join(ROOT, path), text, 'wx');
    console.log(path);
  }
}

async function writeFormatted(path, text, flag = 'w') {
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), filepath: path }), { flag });
}

function fill(text, names) {
  return text.replace(/\{\{(\w+)\}\}/g, (_match, name) => {
    if (names[name] === undefined) throw new Error(`A template uses the unknown name ${name}.`);
    return names[name];
  });
}

/** `price-list` in all spellings. */
function namesOf(kebab) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab ?? '') || kebab.length > 30) {
    throw new UsageError('A name has 1 to 30 lower-case letters and digits, in words that are joined by hyphens.');
  }
  const camel = kebab.replace(/-(.)/g, (_match, letter) => letter.toUpperCase());
  const noun = kebab.replaceAll('-', ' ');
  return { kebab, camel, noun, snake: kebab.replaceAll('-', '_'), Camel: capital(camel), Noun: capital(noun) };
}

function pluralsOf(kebab) {
  return Object.fromEntries(Object.entries(namesOf(kebab)).map(([name, text]) => [`${name}s`, text]));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function singularOf(plural = '') {
  return plural
    .replace(/(?:ies)$/, 'y')
    .replace(/(?<=ss|x|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '');
}

/** Two to four letters that begin like the name, and that no module uses. */
function freePrefix(name, taken) {
  const letters = name.replace(/[^a-z]/g, '');
  const consonants = letters[0] + letters.slice(1).replace(/[aeiou]/g, '');
  const choices = [
    consonants.slice(0, 3),
    consonants.slice(0, 4),
    letters.slice(0, 3),
    letters.slice(0, 4),
    letters.slice(0, 10),
  ];
  const free = choices.find((choice) => choice.length > 1 && ![...taken, 'ten', 'key'].includes(choice));
  if (!free) throw new UsageError('Choose another name: the prefixes of IDs that fit it are taken.');
  return free;
}

async function takenPrefixes() {
  const folders = ['src', 'extensions'].map((folder) => join(ROOT, folder));
  const lists = await Promise.all(
    folders.map((folder) =>
      readdir(folder, { recursive: true }).then((files) => files.map((file) => join(folder, file))),
    ),
  );
  const modules = lists.flat().filter((file) => file.endsWith('.manifest.ts'));
  const texts = await Promise.all(modules.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) =>
    [...(/\bids: \{([^}]*)\}/.exec(text)?.[1] ?? '').matchAll(/(\w+):/g)].map(([, prefix]) => prefix),
  );
}

const [kind, ...rest] = process.argv.slice(2);
try {
  if (!Object.hasOwn(KINDS, kind ?? '')) throw new UsageError(USAGE);
  console.log(await KINDS[kind](rest));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
