/**
 * What the document does not say: which bodies fit which resources. Everything else comes from its schemas, so a new operation is fuzzed
 * without changes here. If its success needs more than its schema says, the run fails until it is added here.
 */
import fc from 'fast-check';
import { GOOD_FILES } from './files.mjs';
import { definitions, patternDefinition, valuesFor } from './fields.mjs';
import { plainText } from './schema-values.mjs';
import { SCHEMAS } from '../schemas.mjs';

const name = plainText({ minLength: 1, maxLength: 60 }).map((text) => `${text.trim()} {{unique}}`);
const slug = fc.constantFrom('fuzz-{{unique}}', '{{unique}}');
const webhookUrl = fc.constantFrom(
  '{{receiver}}',
  '{{receiver}}?a=b',
  'https://127.0.0.1:1/nobody',
  'https://[::1]:1/nobody',
);

const slugged = (fields) => ({ name, slug, fields });

const TIMES = {
  publish_at: fc.constantFrom('2100-01-31T09:30:00Z', '2100-01-31T09:30:00.123+02:00'),
  unpublish_at: fc.constantFrom('2100-01-01T09:30:00Z', '2100-02-28T09:30:00-11:30'),
};

/** An operation's values that its schema does not describe precisely enough, by dotted path. */
export function knownValues(document, { id }) {
  switch (id) {
    case 'ContentTypes_create':
      return slugged(definitions(document, 'content'));
    case 'ContentTypes_update':
      return slugged(
        definitions(document, 'content').map((added) => [...SCHEMAS.fresh, ...withoutNames(added, SCHEMAS.fresh)]),
      );
    case 'Forms_create':
      return slugged(definitions(document, 'form'));
    case 'Webhooks_create':
    case 'Webhooks_update':
      return { url: webhookUrl, secret: plainText({ minLength: 1, maxLength: 60 }).filter((text) => text.length > 0) };
    case 'Deliveries_redeliverFailed':
      return {
        since: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'),
      };
    case 'Schedules_put':
      // At least one of them.
      return { '': fc.oneof(...Object.keys(TIMES).map((name) => fc.record(TIMES, { requiredKeys: [name] }))) };
    default:
      return {};
  }
}

/** Values for some of the fields. */
function optionalValues(fields) {
  return valuesFor(
    fields.map((field) => ({ ...field, required: false })),
    'content',
  );
}

function withoutNames(fields, taken) {
  const names = new Set(taken.map((field) => field.name));
  return fields.filter((field) => !names.has(field.name));
}

/** For operations on resources with their own fields: the IDs to use, and a body that fits them. */
export function schemaBound(document, { id }) {
  const { contentTypes, forms } = SCHEMAS.of(document);
  const entryTypes = fc.constantFrom(...Object.keys(contentTypes));
  switch (id) {
    case 'Entries_list':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}` },
        listed: { kind: 'content', fields: contentTypes[type] },
      }));
    case 'Entries_get':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{entry.${type}.0}}` },
        listed: { kind: 'content', fields: contentTypes[type] },
      }));
    case 'Entries_create':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}` },
        known: { fields: valuesFor(contentTypes[type], 'content') },
      }));
    case 'Entries_update':
    case 'Entries_delete':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.entry.${type}}}` },
        known: { fields: optionalValues(contentTypes[type]) },
      }));
    case 'Drafts_save':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.draft.${type}}}` },
        known: { fields: optionalValues(contentTypes[type]) },
      }));
    case 'Drafts_get':
    case 'Drafts_discard':
    case 'Drafts_publish':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.draft.${type}}}` },
      }));
    case 'History_restore':
      // With `to=draft`, If-Match takes the ETag of the draft.
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.entry.${type}}}` },
        query: fc.constantFrom([], [['to', 'live']]),
      }));
    case 'History_diff':
      return fc.constant({ query: fc.constantFrom([], [['from', '1']]) });
    case 'Schedules_put':
    case 'Schedules_get':
    case 'Schedules_delete':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.scheduled.${type}}}` },
      }));
    case 'Submissions_submit':
      return fc.tuple(fc.constantFrom(...Object.keys(forms)), fc.constantFrom('form', 'slug')).map(([form, by]) => ({
        ids: { form_id: `{{${by}.${form}}}` },
        known: { fields: valuesFor(forms[form], 'form') },
      }));
    case 'Submissions_list':
      return fc.constantFrom(...Object.keys(forms)).map((form) => ({
        ids: { form_id: `{{form.${form}}}` },
        listed: { kind: 'form', fields: forms[form] },
      }));
    case 'MediaFiles_get':
      return fc.constantFrom(...Object.keys(GOOD_FILES)).map((file) => ({
        // Each file may have only few variants of unusual sizes, so these cases use a new file.
        ids: { file: PICTURES.includes(file) ? `{{new.file.${file}}}` : `{{file.${file}}}` },
        query: PICTURES.includes(file) ? undefined : fc.constant([]),
      }));
    default:
      return fc.constant({ ids: {} });
  }
}

const PICTURES = ['png', 'jpeg', 'webp', 'gif'];

/** Nearly valid fields that no mutation of a valid definition produces. */
export function nearlyKnownValues({ id }) {
  if (id === 'ContentTypes_create') return { fields: patternDefinition('content') };
  if (id === 'ContentTypes_update') return { fields: fc.oneof(patternDefinition('content'), changedDefinitions) };
  if (id === 'Forms_create') return { fields: patternDefinition('form') };
  return undefined;
}

/** The fields of the type with other types and constraints, which stored values may violate. */
const changedDefinitions = fc
  .tuple(
    ...SCHEMAS.fresh.map((field) =>
      fc.constantFrom(
        field,
        undefined,
        ...['text', 'rich_text', 'number', 'integer', 'date', 'json', 'email'].map((type) => ({
          name: field.name,
          type,
        })),
        { ...field, multiple: !field.multiple },
        { ...field, unique: true, required: true },
        { ...field, pattern: '^(a|b)*$' },
        { ...field, min: 2, max: 3 },
      ),
    ),
  )
  .map((fields) => fields.filter(Boolean));

/** The parts of a valid upload. */
export const validUpload = fc
  .record({
    file: fc.constantFrom(...Object.keys(GOOD_FILES)),
    filename: fc.oneof(
      plainText({ minLength: 1, maxLength: 60 }),
      fc.constantFrom('a.png', '../../x.png', 'a"b.txt', 'ünï.pdf', '.', 'con'),
    ),
    alt: fc.option(plainText({ maxLength: 100 }), { nil: undefined }),
  })
  .map(({ file, filename, alt }) => [
    ...(alt === undefined ? [] : [{ name: 'alt', text: alt }]),
    { name: 'file', filename, type: 'application/octet-stream', file },
  ]);
