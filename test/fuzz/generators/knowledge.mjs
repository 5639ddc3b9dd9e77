/**
 * What the document does not say: which bodies fit which resources. Everything else comes from its schemas, so a new operation is fuzzed
 * without changes here. If its success needs more than its schema says, the run fails until it is added here.
 */
import fc from 'fast-check';
import { GOOD_FILES } from './files.mjs';
import { definitions, patternDefinition, valuesFor } from './fields.mjs';
import { plainText } from './schema-values.mjs';
import { PASSWORD } from '../people.mjs';
import { SCHEMAS } from '../schemas.mjs';

const name = plainText({ minLength: 1, maxLength: 60 }).map((text) => `${text.trim()} {{unique}}`);
const slug = fc.constantFrom('fuzz-{{unique}}', '{{unique}}');
const webhookUrl = fc.constantFrom(
  '{{receiver}}',
  '{{receiver}}?a=b',
  'https://127.0.0.1:1/nobody',
  'https://[::1]:1/nobody',
);

/** Scopes that a key can have together, all of which the key of the requests has. */
const scopes = fc.constantFrom(
  ['*'],
  ['read', 'write'],
  ['keys:write', 'forms:read'],
  ['content:read:published@{{type.every}}', 'content:write@{{type.every}}', 'events:read'],
);

const locales = fc.constantFrom(null, ['de'], ['en', 'fr-CA', 'zh-hant-tw']);

const tenantLocales = fc.constantFrom(
  [{ code: 'en' }],
  [{ code: 'EN', name: 'English' }, { code: 'de-CH', fallback: 'de' }, { code: 'de' }],
  [
    { code: 'fr', name: 'Français', fallback: null },
    { code: 'en', fallback: null },
  ],
);

const roleName = fc.constantFrom('owner', 'Editor', 'viewer', '{{role}}');
/** One line without control characters. */
const personName = name.map((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ''));

const slugged = (fields) => ({ name, slug, fields });

const TIMES = {
  publish_at: fc.constantFrom('2100-01-31T09:30:00Z', '2100-01-31T09:30:00.123+02:00'),
  unpublish_at: fc.constantFrom('2100-01-01T09:30:00Z', '2100-02-28T09:30:00-11:30'),
};

/** Settings of a form that fit any fields. */
const formSettings = fc.record(
  {
    notify: fc.constant([{ to: ['sales@example.com'], subject: 'New' }]),
    redirect_origins: fc.constantFrom(['https://acme.example'], ['http://127.0.0.1:8080', 'https://acme.example']),
    thanks: plainText({ minLength: 1, maxLength: 60 }).filter((text) => text.length > 0),
    spam: fc.record(
      { honeypot: fc.constant('website'), max_links: fc.nat(10), blocked_words: fc.constant(['casino', 'ünï cörn']) },
      { requiredKeys: [] },
    ),
    retention_days: fc.integer({ min: 1, max: 3_650 }),
    rate_limit: fc.integer({ min: 1, max: 600 }),
    store: fc.boolean(),
    closed: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** An operation's values that its schema does not describe precisely enough, by dotted path. */
export function knownValues(document, { id }) {
  switch (id) {
    case 'createContentType':
      return { ...slugged(definitions(document, 'content')), preview_url: previewUrl };
    case 'updateContentType': {
      const fields = definitions(document, 'content').map((added) => [
        ...SCHEMAS.fresh,
        ...withoutNames(added, SCHEMAS.fresh),
      ]);
      return { ...slugged(fields), preview_url: fc.oneof(previewUrl, fc.constant(null)) };
    }
    case 'createForm':
    case 'updateForm':
      return { ...slugged(definitions(document, 'form')), settings: formSettings };
    case 'setLocales':
      // The tenant keeps the locale that requests name.
      return { default: fc.constant('en'), locales: tenantLocales };
    case 'createWebhook':
    case 'updateWebhook':
      return {
        url: webhookUrl,
        secret: plainText({ minLength: 1, maxLength: 60 }).filter((text) => text.length > 0),
        // Filters by resources need IDs that exist.
        filters: fc.constantFrom({ status: 'published' }, { status: 'draft', changed: ['title'] }),
      };
    case 'redeliverFailedEvents':
      return {
        since: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'),
      };
    case 'replayEvents':
      return {
        from: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'),
        to: fc.constantFrom('2100-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
        types: fc.constantFrom(['media.deleted'], ['media.deleted', 'form.submitted']),
        dry_run: fc.constant(true),
      };
    case 'createKey':
      // Names have no control characters.
      return { name: name.map((text) => text.replaceAll(/\p{Cc}/gu, '')), scopes, locales };
    case 'createRole':
    case 'updateRole':
      return {
        name: name.map((text) => text.replaceAll(/\p{Cc}/gu, '')),
        scopes,
        locales,
      };
    case 'inviteMember':
      return { email: fc.constant('{{unique}}@example.com'), name: personName, role: roleName };
    case 'updateMember':
      return { role: roleName };
    case 'acceptInvitation':
      return { name: personName, password: fc.constant(PASSWORD) };
    case 'updateMe':
      // A password is changed by somebody who knows the present one.
      return {
        '': fc.oneof(
          fc.record(
            { name: personName, notify_reviews: fc.constantFrom({}, { '{{new.account.tenant}}': true }) },
            { requiredKeys: [] },
          ),
          fc.record({ password: fc.constant(`${PASSWORD} alone`), current_password: fc.constant(PASSWORD) }),
        ),
      };
    case 'createSession':
      return {
        '': fc.constantFrom({ key: '{{key}}' }, { email: '{{new.account.email}}', password: PASSWORD }),
      };
    case 'requestPasswordReset':
      return { email: fc.constantFrom('{{unique}}@example.com', '{{reader}}') };
    case 'finishPasswordReset':
      return { password: fc.constant(PASSWORD) };
    case 'planSchema':
      return { document: schemaDocument };
    case 'applySchema':
      return { document: schemaDocument, hash: fc.constant('of-no-plan') };
    case 'setSchedule':
      // At least one of them.
      return { '': fc.oneof(...Object.keys(TIMES).map((name) => fc.record(TIMES, { requiredKeys: [name] }))) };
    default:
      return {};
  }
}

/** What some content types and forms are to be. */
const schemaDocument = fc.record({
  types: fc.subarray([
    { slug: 'planned', name: 'Planned', fields: [{ name: 'title', type: 'text', required: true }] },
    { slug: 'also-planned', name: 'Also planned', fields: [{ name: 'at', type: 'datetime' }] },
  ]),
  forms: fc.subarray([{ slug: 'planned', name: 'Planned', fields: [{ name: 'message', type: 'textarea' }] }]),
  webhooks: fc.constant([]),
});

const previewUrl = fc.constantFrom('https://site.example/?preview={token}', 'http://localhost:3000/{token}');

/** A bulk request whose operations all succeed. */
function bulkBody(type, fields) {
  const of = (op, more) => ({ op: fc.constant(op), content_type: fc.constant(`{{type.${type}}}`), ...more });
  const written = { status: fc.constantFrom('draft', 'published') };
  const create = fc.record(of('create', { ...written, fields: valuesFor(fields, 'content') }), {
    requiredKeys: ['op', 'content_type', 'fields'],
  });
  // The placeholder is the same entry for all operations, so only one of them changes it.
  const stored = { entry_id: fc.constant(`{{new.entry.${type}}}`), if_match: fc.constantFrom('*', '"v1"') };
  const requiredKeys = ['op', 'content_type', 'entry_id'];
  const change = fc.oneof(
    fc.record(of('update', { ...written, ...stored, fields: optionalValues(fields) }), { requiredKeys }),
    fc.record(of('delete', stored), { requiredKeys }),
  );
  const operations = fc
    .tuple(fc.array(create, { maxLength: 4 }), fc.array(change, { maxLength: 1 }))
    .map(([creates, changes]) => [...distinct(creates), ...changes]);
  const body = { operations, atomic: fc.boolean(), dry_run: fc.boolean() };
  return fc.record(body, { requiredKeys: ['operations'] });
}

/** `{{unique}}` is the same text everywhere in a request. */
function distinct(list) {
  return list.map((one, index) => JSON.parse(JSON.stringify(one).replaceAll('{{unique}}', `{{unique}}${index}`)));
}

/** The body of an import, of which every line is right: {text, type}. */
function importBody(fields) {
  const line = fc.record({ fields: valuesFor(fields, 'content'), status: fc.constantFrom('draft', 'published') });
  const lines = fc.array(line, { maxLength: 5 }).map((all) =>
    distinct(all)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
  const texts = fields.filter(({ type, multiple, unique }) => type === 'text' && !multiple && !unique).slice(0, 3);
  const cells = fc.array(fc.array(plainText({ maxLength: 20 }), { minLength: texts.length, maxLength: texts.length }), {
    maxLength: 5,
  });
  const record = (all) => `${all.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\r\n`;
  return fc.oneof(
    lines.map((text) => ({ text, type: 'application/x-ndjson' })),
    cells.map((all) => ({ text: [texts.map(({ name }) => name), ...all].map(record).join(''), type: 'text/csv' })),
  );
}

/** Submissions of earlier fields, as an import reads them. */
const submissionLines = fc
  .array(fc.record({ fields: fc.record({ former: plainText({ maxLength: 20 }) }) }), { maxLength: 5 })
  .map((all) => all.map((one) => `${JSON.stringify(one)}\n`).join(''));

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
    case 'listEntries':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}` },
        listed: { kind: 'content', fields: contentTypes[type] },
      }));
    case 'getEntry':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{entry.${type}.0}}` },
        listed: { kind: 'content', fields: contentTypes[type] },
      }));
    case 'getEntryByValue':
      // The only type with a unique field.
      return fc.constant({
        ids: { content_type_id: '{{type.strict}}' },
        listed: { kind: 'content', fields: contentTypes.strict },
      });
    case 'createEntry':
      return fc.tuple(entryTypes, fc.boolean()).map(([type, isIncomplete]) => ({
        ids: { content_type_id: `{{type.${type}}}` },
        known: isIncomplete
          ? { fields: optionalValues(contentTypes[type]), status: fc.constant('draft') }
          : { fields: valuesFor(contentTypes[type], 'content') },
        query: fc.constant([['incomplete', String(isIncomplete)]]),
      }));
    case 'changeEntries':
      return entryTypes.map((type) => ({ known: { '': bulkBody(type, contentTypes[type]) } }));
    case 'importEntries':
      return entryTypes.chain((type) =>
        importBody(contentTypes[type]).map((text) => ({
          ids: { content_type_id: `{{type.${type}}}` },
          query: fc.constantFrom([], [['status', 'draft']], [['dry_run', 'true']]),
          text,
        })),
      );
    case 'exportEntries':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}` },
        listed: { kind: 'content', fields: contentTypes[type] },
      }));
    case 'updateEntry':
    case 'deleteEntry':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.entry.${type}}}` },
        known: { fields: optionalValues(contentTypes[type]) },
      }));
    case 'saveDraft':
      // There is a draft, so If-None-Match would be refused.
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.draft.${type}}}` },
        headers: [['If-Match', '{{etag}}']],
        known: { fields: optionalValues(contentTypes[type]) },
      }));
    case 'getDraft':
    case 'discardDraft':
    case 'publishDraft':
    case 'requestReview':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.draft.${type}}}` },
      }));
    case 'applyDraft':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.unpublished.${type}}}` },
      }));
    case 'withdrawReview':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.reviewed.${type}}}` },
      }));
    case 'restoreEntryVersion':
      // With `to=draft`, If-Match takes the ETag of the draft.
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.entry.${type}}}` },
        query: fc.constantFrom([], [['to', 'live']]),
      }));
    case 'searchContent':
      return fc.constant({
        query: fc.constantFrom(
          [['search', 'tide']],
          [
            ['search', 'tide'],
            ['types', '{{type.every}}'],
          ],
        ),
      });
    case 'compareEntryVersions':
      return fc.constant({ query: fc.constantFrom([], [['from', '1']]) });
    case 'setSchedule':
    case 'getSchedule':
    case 'deleteSchedule':
      return entryTypes.map((type) => ({
        ids: { content_type_id: `{{type.${type}}}`, entry_id: `{{new.scheduled.${type}}}` },
      }));
    case 'submitForm':
      return fc.oneof(
        { weight: 2, arbitrary: fc.constant({ ids: { form_id: '{{upload.form}}' }, multipart: validFormWithFiles }) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(fc.constantFrom(...Object.keys(forms)), fc.constantFrom('form', 'slug'))
            .map(([form, by]) => ({
              ids: { form_id: `{{${by}.${form}}}` },
              known: { fields: valuesFor(forms[form], 'form') },
            })),
        },
      );
    case 'resendInvitation':
      // An address gets at most three invitations within an hour.
      return fc.constant({ ids: { user_id: '{{new.member}}' } });
    case 'acceptInvitation':
      return fc.constant({
        known: { '': fc.record({ name: personName, password: fc.constant(PASSWORD) }) },
      });
    case 'finishPasswordReset':
      return fc.constant({ ids: { token: '{{new.reset.token}}' } });
    case 'startOidcSignIn':
      return fc.constantFrom([], [['return_to', '/console/{{tenant}}/content?page=2#top']]).map((query) => ({
        query: fc.constant(query),
        headers: ASKS_FOR_PROBLEMS,
      }));
    case 'finishOidcSignIn':
      return fc.constant({
        query: fc.constant([
          ['code', '{{new.flow.code}}'],
          ['state', '{{new.flow.state}}'],
        ]),
        headers: [['Cookie', '{{new.flow.cookie}}'], ...ASKS_FOR_PROBLEMS],
      });
    case 'getSubmissionFile':
      return fc.constant({ ids: { form_id: '{{upload.form}}', submission_id: '{{upload.submission}}' } });
    case 'purgeLocale':
      // It is never in the list.
      return fc.constant({ ids: { code: 'cy' }, query: fc.constant([['purge', 'true']]) });
    case 'importSubmissions':
      return fc.constantFrom(...Object.keys(forms)).chain((form) =>
        fc.oneof(
          submissionLines.map((text) => ({
            ids: { form_id: `{{form.${form}}}` },
            text: { text, type: 'application/x-ndjson' },
          })),
          plainText({ maxLength: 20 }).map((former) => ({
            ids: { form_id: `{{form.${form}}}` },
            multipart: fc.constant([
              { name: 'submission', text: JSON.stringify({ fields: { former } }) },
              { name: 'cv', filename: 'cv.pdf', file: 'pdf' },
            ]),
          })),
        ),
      );
    case 'deleteSubmission':
    case 'getSubmission':
    case 'updateSubmission':
      return fc.constantFrom(...Object.keys(forms)).map((form) => ({
        ids: { form_id: `{{form.${form}}}`, submission_id: `{{new.submission.${form}}}` },
      }));
    case 'listSubmissions':
    case 'exportSubmissions':
      return fc.constantFrom(...Object.keys(forms)).map((form) => ({
        ids: { form_id: `{{form.${form}}}` },
        listed: { kind: 'form', fields: forms[form] },
      }));
    case 'getMediaFile':
      return fc.constantFrom(...Object.keys(GOOD_FILES)).map((file) => ({
        // Each file may have only few variants of unusual sizes, so these cases use a new file.
        ids: { file: PICTURES.includes(file) ? `{{new.file.${file}}}` : `{{file.${file}}}` },
        query: PICTURES.includes(file) ? undefined : fc.constant([]),
      }));
    default:
      return fc.constant({ ids: {} });
  }
}

/** Browsers are led to a page that says what failed, with the status of a success. */
const ASKS_FOR_PROBLEMS = [['Accept', 'application/json']];

const PICTURES = ['png', 'jpeg', 'webp', 'gif'];

/** Nearly valid fields that no mutation of a valid definition produces. */
export function nearlyKnownValues({ id }) {
  if (id === 'createContentType') return { fields: patternDefinition('content') };
  if (id === 'updateContentType') return { fields: fc.oneof(patternDefinition('content'), changedDefinitions) };
  if (id === 'createForm' || id === 'updateForm') return { fields: patternDefinition('form') };
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

/** The parts of a form with files. */
const validFormWithFiles = fc
  .record({
    files: fc.array(
      fc.record({
        file: fc.constantFrom(...Object.keys(GOOD_FILES)),
        filename: fc.oneof(
          plainText({ minLength: 1, maxLength: 60 }).map((text) => `${text}.dat`),
          fc.constantFrom('a.png', '../../x.png', 'a"b.txt', 'ünï.pdf', '.', 'con', 'a.txt/', '\u202egnp.txt'),
        ),
        type: fc.constantFrom(
          'application/octet-stream',
          'text/markdown',
          'text/plain; charset=utf-8',
          'image/png',
          'x',
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    alt: fc.option(plainText({ maxLength: 100 }), { nil: undefined }),
  })
  .map(({ files, alt }) => [
    ...(alt === undefined ? [] : [{ name: 'alt', text: alt }]),
    ...files.map((file, index) => ({ ...file, name: index === 0 ? 'cv' : 'more' })),
  ]);
