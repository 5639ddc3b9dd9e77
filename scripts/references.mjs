/**
 * Writes what the documentation takes from the code: docs/reference/configuration.md and .env.example (src/config/reference.ts), and
 * docs/reference/field-types.md, form-settings.md and roles.md (openapi.json), and command-line.md (the help of cli/dist). `npm run openapi`. With --check it writes nothing, and fails if a file differs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { CONFIGURATION } from '../dist/src/config/reference.js';
import { BUILT_IN_ROLES } from '../dist/src/access/built-in-roles.js';
import { Environment } from '../dist/src/config/environment.js';
import { readVariables } from '../dist/src/config/variables.js';
import { commandLinePage } from './command-line-page.mjs';
import { rolesPage } from './role-table.mjs';

const ROOT = new URL('../', import.meta.url);
const WIDTH = 130;
/** Sections of the configuration that have a page of their own. */
const LATER = new Set(['Mail', 'Webhooks', 'Media']);

const document = JSON.parse(await readFile(new URL('openapi.json', ROOT), 'utf8'));
const { paths, components } = document;

const environment = new Environment({});
readVariables(environment, []);

const files = {
  'docs/reference/configuration.md': configurationPage(),
  'docs/reference/configuration-of-mail-webhooks-and-media.md': laterConfigurationPage(),
  '.env.example': envExample(),
  'docs/reference/field-types.md': fieldTypesPage(),
  'docs/reference/form-settings.md': formSettingsPage(),
  'docs/reference/command-line.md': commandLinePage(),
  'docs/reference/roles.md': rolesPage(document, BUILT_IN_ROLES),
};
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, ROOT);
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if (text !== (await readFile(file, 'utf8'))) {
    console.error(`${name} differs from the code: run npm run openapi, and look at the difference.`);
    process.exitCode = 1;
  }
}

function sectionsOf(isWanted) {
  const wanted = CONFIGURATION.filter(({ title }) => isWanted(title));
  return wanted.map(({ title, variables }) => `## ${title}\n\n${variables.map(item).join('\n')}\n`).join('\n');
}

function laterConfigurationPage() {
  return `# Configuration of mail, webhooks and media

The variables of what the service does besides answering requests. [Configuration](configuration.md) says how variables are read, and has the others.

${sectionsOf((title) => LATER.has(title))}`;
}

function configurationPage() {
  return `# Configuration

Trivet reads environment variables, or a file named \`.env\` beside \`package.json\`. It checks all of them at the start. If a variable is wrong, the
service does not start. It prints one message that names every wrong variable and shows no values. It warns of a variable that it does not
know if the name resembles a known one (\`SMPT_URL\`). An empty variable counts as unset. A duration is a number and ms, s, m, h or d: \`500ms\`,
\`15s\`, \`1.5h\`, \`30d\`. A 0 needs no unit. [Tenants and their keys](tenants.md) explains \`TENANTS\`.
The variables of mail, webhooks and media have [a page of their own](configuration-of-mail-webhooks-and-media.md).

${sectionsOf((title) => !LATER.has(title))}`;
}

function item({ name, about, default: value, unset }) {
  const expected = environment.expectations.get(name);
  const facts = [value && `default \`${value}\``, unset && `without it: ${unset}`, expected].filter(Boolean);
  const text = about.replace(/See docs\/([\w/-]+)\.md\./, (_, page) => `See [${page}](../${page}.md).`);
  return `- \`${name}\`: ${text}${facts.length > 0 ? ` (${sentence(facts)}.)` : ''}`;
}

function sentence(facts) {
  const text = facts.join('; ');
  return text[0].toUpperCase() + text.slice(1);
}

function envExample() {
  const head = wrapped(
    'This file lists every variable that Trivet reads, with its default. An empty variable counts as unset. `npm start` reads this file if it is ' +
      'named .env. Variables of the environment take precedence over the file. If a variable is wrong, the service does not start, and a message ' +
      'names every wrong variable. A duration is a number and ms, s, m, h or d: 500ms, 15s, 1.5h, 30d. A 0 needs no unit.',
  );
  const sections = CONFIGURATION.map(
    ({ title, variables }) => `# ----- ${title}\n\n${variables.map(line).join('\n\n')}`,
  );
  return `${head}\n\n${sections.join('\n\n')}\n`;
}

function line({ name, about, default: value, unset, example }) {
  const text = unset ? `${about} Without it: ${unset}.` : about;
  return `${wrapped(text.replaceAll('`', ''))}\n# ${name}=${value ?? example ?? ''}`;
}

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length + 1 > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((each) => `#${each}`).join('\n');
}

/** The tables of the operations that take definitions. */
function fieldTypesPage() {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const tableOf = (id) => {
    const { description } = operations.find(({ operationId }) => operationId === id);
    return /(?:^\|.*\n)+/m.exec(description)[0].trim();
  };
  return `# Field types

Every field has a \`name\` and a \`type\`. It can have the attributes \`required\`, \`default\`, \`label\` and \`help\`, and those of its type.

## Fields of content types

${tableOf('createContentType')}

## Fields of forms

Values are strings.

${tableOf('createForm')}
`;
}

function formSettingsPage() {
  return `# Form settings

The property \`settings\` of a form has these properties, all of which are optional. \`PATCH\` merges them by name: a setting that is not sent keeps its
value, one that is sent replaces the old one as a whole (\`{"settings": {"spam": …}}\` replaces all of \`spam\`), and \`null\` removes it.

${settingsTable('FormSettings')}

How they work: emails (\`notify\`, \`autoresponder\`, \`time_zone\`) and \`closed\` in [forms](forms.md#emails); \`redirect\`, \`thanks\`, \`language\` and
\`texts\` in [form pages](form-pages.md); \`spam\`, \`retention_days\` and \`store\` in [submissions](submissions.md).

## Rules of \`notify\`

${settingsTable('NotifyRule')}

## \`autoresponder\`

${settingsTable('Autoresponder')}

## \`texts\`

${settingsTable('FormTexts')}

## \`spam\`

${settingsTable('SpamSettings')}
`;
}

function settingsTable(schema) {
  const rows = Object.entries(components.schemas[schema].properties).map(([name, property]) => {
    const about = (property.description ?? '').replaceAll('|', '\\|');
    return `| \`${name}\` | ${valueOf(property)} | ${about} |`;
  });
  return ['| Name | Value | What it does |', '|---|---|---|', ...rows].join('\n');
}

/** What kind of value a setting has, in words. */
function valueOf({ type, minimum, maximum, minLength, maxLength, maxItems, enum: values, format }) {
  if (type === 'integer') return `an integer from ${number(minimum)} to ${number(maximum)}`;
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'array') return `a list of up to ${number(maxItems)}`;
  if (type !== 'string') return 'an object';
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (format === 'uri') return 'a URL';
  return minLength === 0
    ? `a text of up to ${number(maxLength)} characters`
    : `a text of 1 to ${number(maxLength)} characters`;
}

function number(value) {
  return value.toLocaleString('en');
}
