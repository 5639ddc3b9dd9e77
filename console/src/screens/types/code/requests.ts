import { entriesPath } from '../../../api/entries';
import type { DefinedField, DefinedType } from '../../../api/type-changes';
import { BASE } from '../../../base';

interface ExampleRequest {
  readonly title: string;
  readonly text: string;
}

/** As curl. The key is that of the person's shell. */
export function requestsFor(tenantId: string, type: DefinedType): readonly ExampleRequest[] {
  const entries = new URL(`${BASE}${entriesPath(tenantId, type.slug)}`, window.location.href).href;
  const body = JSON.stringify({ fields: examplesOf(type.fields) }, undefined, 2);
  return [
    { title: 'List entries', text: curl(`'${entries}?per_page=20'`) },
    { title: 'Get an entry', text: curl(`'${entries}/ent_…'`) },
    {
      title: 'Create an entry',
      text: curl(`-X POST '${entries}'`, `-H 'Content-Type: application/json'`, `-d ${quoted(body)}`),
    },
  ];
}

function curl(target: string, ...options: readonly string[]): string {
  return [`curl ${target}`, '-H "Authorization: Bearer $TRIVET_KEY"', ...options].join(' \\\n  ');
}

/** A text in a shell: only the quote itself ends it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value for each field that must have one, or for the first field. */
function examplesOf(fields: readonly DefinedField[]): Readonly<Record<string, unknown>> {
  const needed = fields.filter(({ required }) => required);
  return Object.fromEntries(
    (needed.length > 0 ? needed : fields.slice(0, 1)).map((field) => [field.name, exampleOf(field)]),
  );
}

function exampleOf(field: DefinedField): unknown {
  if (field.type === 'blocks') return [];
  const one =
    field.type === 'group' ? examplesOf(field.fields ?? []) : (field.options?.[0] ?? EXAMPLES[field.type] ?? '…');
  return field.multiple ? [one] : one;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  rich_text: '<p>…</p>',
  number: 1.5,
  integer: 1,
  boolean: true,
  date: '2026-01-31',
  datetime: '2026-01-31T09:30:00Z',
  email: 'ada@example.com',
  url: 'https://example.com/',
  media: { url: 'https://example.com/picture.jpg' },
  reference: 'ent_…',
  json: {},
};
