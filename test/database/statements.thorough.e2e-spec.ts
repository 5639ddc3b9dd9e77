import pg from 'pg';
import { AuditRetention } from '../../src/audit/audit-retention.js';
import { Backlog } from '../../src/backlog/backlog.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { Database } from '../../src/database/database.js';
import { declaredStatements } from '../../src/database/statements/statement.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { eventTypes } from '../../src/modules/installed-modules.js';
import { newUuid } from '../../src/ids/type-id.js';
import { ANNOUNCE } from '../../src/media/media.sql.js';
import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { SubscriberFeeds } from '../../src/events/subscribers/subscriber-feeds.js';
import { SubscriberRegistry } from '../../src/events/subscribers/subscriber-registry.js';
import { SolutionRetention } from '../../src/forms/spam/solution-retention.js';
import { StoredResponseRetention } from '../../src/idempotency/stored-response-retention.js';
import { MediaSweeper } from '../../src/media/media-sweeper.js';
import { createWorkTable } from '../../src/database/work-table.js';
import { CrmModule } from '../examples/crm/crm.module.js';
import { startApp, type TestApp } from '../support/app.js';
import { distributeTable, TEST_CITUS_URL } from '../support/citus.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { EventStreamReader } from '../support/event-stream.js';
import { scenariosOf } from '../support/extensions.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { playScenario } from '../support/scenario.js';
import { migrate } from '../support/tables.js';
import { until } from '../support/until.js';

/** Without those of the tests, which are named `test.…`: other test files run in the same process. */
const declaredByService = () => declaredStatements().filter(({ name }) => !name.startsWith('test.'));

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** The fields of a PostgreSQL plan node that tell what is read and under which conditions. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  Plans?: PlanNode[];
  [property: string]: unknown;
}

interface Scan {
  table: string;
  alias: string;
  conditions: string[];
}

/** `d.tenant_id = 'ten_a'::text` or `d.tenant_id = w.tenant_id`. */
const TENANT_IS = /^(?:"?\w+"?\.)?tenant_id = (?:'(\w+)'::text(?: COLLATE "\w+")?|"?(\w+)"?\.tenant_id)$/;
const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'TID Cond'];
/** Statements that read and write no table. */
const CONTROL =
  /^\s*(START TRANSACTION|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET |SELECT 1$|SELECT pg_(try_)?advisory)/i;

/**
 * The queries across all tenants. Each is a plain read that finds where there is work to do. The work itself then runs for one tenant at a
 * time.
 */
const ACROSS_TENANTS = [
  'content_types.absent_field_types',
  'forms.absent_field_types',
  'audit.tenants_with_old',
  'challenge_solutions.tenants_with_expired',
  'events.tenants_with_pending',
  'events.ends',
  'deliveries.tenants_with_due',
  'mails.tenants_with_due',
  'letters.tenants_with_due',
  'crm_jobs.tenants_with_due',
  'mail_notices.tenants_with_due',
  'review_mails.tenants_with_due',
  'scheduled_jobs.tenants_with_due',
  'keys.of_tenants',
  'tenants.moved',
  'access.state',
  'access.versions',
  'access.versions_of',
  'stored_responses.tenants_with_expired',
  'subscribers.tenants_with_events',
  'subscribers.tenants_behind',
  'media.old_orphans',
  'variants.totals',
  'variants.unmeasured',
  'backlog.waiting_events',
  'backlog.waiting_deliveries',
  'backlog.waiting_mails',
  'backlog.waiting_letters',
  'backlog.waiting_scheduled_jobs',
  'backlog.failed_deliveries',
  'backlog.failed_mails',
  'backlog.failed_letters',
  'backlog.subscribers_behind',
];

/**
 * Statements that the scenario does not run, each with the condition under which it runs and the test of that condition. Their plans are
 * checked with made-up values.
 */
const NOT_RECORDED: Record<string, string> = {
  ...(TEST_CITUS_URL && {
    'submissions.create_group': 'Submissions are not grouped on Citus: docs/decisions/grouped-submissions.md.',
  }),
  'drafts.type_name': 'A browser opens a preview link: preview-pages.e2e-spec.ts.',
  'challenge_solutions.prune': 'Challenges have expired: spam.thorough.e2e-spec.ts.',
  'tenants.moved': 'The service starts with a PUBLIC_URL: media-urls.thorough.e2e-spec.ts.',
  'audit.prune': 'Records are older than AUDIT_RETENTION: audit.thorough.e2e-spec.ts.',
  'deliveries.cancel': 'A webhook was made inactive while it had deliveries in progress: deliveries.slow.e2e-spec.ts.',
  'crm_jobs.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'entries.get_live': 'An entry is read while its type is changed: schema-changes-online.slow.e2e-spec.ts.',
  'scheduled_jobs.pause': 'The database was unavailable during an attempt: scheduled-jobs.slow.e2e-spec.ts.',
  'scheduled_jobs.release': 'A worker ends while it has claims: scheduled-jobs.slow.e2e-spec.ts.',
  'deliveries.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'deliveries.cancel_claimed': 'An event was erased while it was relayed: deliveries.slow.e2e-spec.ts.',
  'limits.lock': 'A tenant is near its limit: limits.e2e-spec.ts.',
  'limits.lock_batches': 'A tenant with a limit sends a bulk request: limits.e2e-spec.ts.',
  'limits.lock_shared': 'A tenant has a limit: limits.e2e-spec.ts.',
  'mails.existing': 'Emails are stored in files: mail.slow.e2e-spec.ts.',
  'mails.add_canceled':
    'A submission is marked as spam that a digest lists first: submission-mails.thorough.e2e-spec.ts.',
  'erasures.delete': 'An erasure was done 30 days ago: erasures.slow.e2e-spec.ts.',
  'events.wait_for_lock': 'Another process relays events of the tenant: feed-order.thorough.e2e-spec.ts.',
  'events.prune_versions': 'Events of entries are older than EVENT_RETENTION: history.e2e-spec.ts.',
  'access.versions_of': 'A server of a distributed database is away: citus.e2e-spec.ts.',
  'stored_responses.prune': 'Answers have expired: idempotency-rules.thorough.e2e-spec.ts.',
  'identities.find': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'identities.put': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'identities.delete_others': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'identities.list': 'Somebody without a password deletes the last passkey: passkeys.thorough.e2e-spec.ts.',
  'members.find_provided': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'members.insert_provided': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'members.set_provided_role': 'Somebody signs in with a provider: oidc-members.thorough.e2e-spec.ts.',
  'letters.add': 'Somebody is invited: letters.thorough.e2e-spec.ts.',
  'letters.cancel': 'An invitation is taken back: letters.thorough.e2e-spec.ts.',
  'letters.cancel_to': 'A membership ends: letters.thorough.e2e-spec.ts.',
  'letters.claim': 'Somebody is invited: letters.thorough.e2e-spec.ts.',
  'letters.pending': 'Emails are stored in files: letters.thorough.e2e-spec.ts.',
  'letters.prune': 'Somebody is invited: letters.thorough.e2e-spec.ts.',
  'letters.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'letters.settle': 'Somebody is invited: letters.thorough.e2e-spec.ts.',
  'mails.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'referenced_titles.read': 'The index does not record all words of a title: search-referenced.thorough.e2e-spec.ts.',
  'referenced_titles.read_shown':
    'The index does not record all words of a title in a locale: localized-search.e2e-spec.ts.',
  'ordered.dissolve': 'A webhook is no longer ordered: ordered-deliveries.thorough.e2e-spec.ts.',
  'ordered.promote': 'A delivery to an ordered webhook has ended: ordered-deliveries.thorough.e2e-spec.ts.',
  'replays.advance': 'A replay has more deliveries than one step writes: replays.thorough.e2e-spec.ts.',
  'schema_changes.entries_by_ids':
    'An entry is written while its type is changed: schema-changes-online.slow.e2e-spec.ts.',
  'schema_changes.remove_prepared_values':
    'An entry is written while its type is changed: schema-changes-online.slow.e2e-spec.ts.',
  'schema_changes.remove_claims':
    'An entry with a unique value is written while its type is changed: schema-changes-online.slow.e2e-spec.ts.',
  'submissions.find_events':
    'A submission is deleted that was written before it knew its event: form-changes.thorough.e2e-spec.ts.',
  'variants.forget': 'A variant could not be stored: media-variants.slow.e2e-spec.ts.',
  'variants.get': 'Another process created the variant: media-variants.slow.e2e-spec.ts.',
  'variants.least_used': 'The variants of a tenant take more bytes than allowed: media-variants.slow.e2e-spec.ts.',
  'variants.use': 'A variant was not used for a day: media-variants.slow.e2e-spec.ts.',
  'webhooks.disable': 'A receiver answers 410, or failed for five days: deliveries.slow.e2e-spec.ts.',
  'webhooks.note_notified': 'A delivery failed five times: webhook-failures.thorough.e2e-spec.ts.',
  'webhooks.fails_for_long': 'Attempts fail for an hour: webhook-failures.thorough.e2e-spec.ts.',
  'mail_notices.add': 'A webhook is failing: webhook-failures.thorough.e2e-spec.ts.',
  'mail_notices.claim': 'A webhook is failing: webhook-failures.thorough.e2e-spec.ts.',
  'mail_notices.recent': 'A webhook is failing: webhook-failures.thorough.e2e-spec.ts.',
  'mail_notices.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'mail_notices.settle': 'A webhook is failing: webhook-failures.thorough.e2e-spec.ts.',
  'drafts.find_waiting_review': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
  'members.find_reviewer': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
  'members.find_reviewers': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
  'review_mails.add': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
  'review_mails.claim': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
  'review_mails.release': 'A worker ends while it has claims: stop.slow.e2e-spec.ts.',
  'review_mails.settle': 'A member wants emails about reviews: review-mails.slow.e2e-spec.ts.',
};

/** Sent by this test, beside the service. */
const TYPES_SO_FAR = 'SELECT DISTINCT type FROM events';

/** Where an extension says it. */
const EXTENSION = (members: string) => `(an extension: ${members} of its <name>.scenario.ts)`;

/** Event types that the scenario does not record, each with its cause and the test of it. */
const NOT_RECORDED_TYPES: Record<string, string> = {
  'webhook.failing': 'A delivery failed five times: webhook-failures.thorough.e2e-spec.ts.',
  'webhook.disabled': 'A receiver answers 410: webhook-failures.thorough.e2e-spec.ts.',
};

/** Fills the growing tables, mostly for one tenant, one type and one form. */
const MUCH_DATA = [
  `CREATE TEMPORARY TABLE numbers AS SELECT number, gen_random_uuid() AS id,
    CASE WHEN number % 10 < 8 THEN :tenant ELSE 'ten_other' || number % 50 END AS tenant_id,
    ('01900000-0000-7000-8000-00000000000' || CASE WHEN number % 10 < 8 THEN 0 ELSE number % 10 END)::uuid AS parent
    FROM generate_series(1, 20000) AS number`,
  `INSERT INTO entries (tenant_id, content_type_id, id, fields, status, version, created_at, updated_at)
    SELECT tenant_id, parent, id, json_build_object('title', repeat('word ', 40)), CASE number % 3 WHEN 0 THEN 'draft' ELSE 'published' END,
      number % 9, now(), now() - number * interval '1 s' FROM numbers`,
  `INSERT INTO entry_drafts (tenant_id, content_type_id, entry_id, number, links, fields, bases, size, base_version, created_at, updated_at)
    SELECT tenant_id, parent, id, 1, 0, json_build_object('title', repeat('word ', 40)), '{"title":null}', 200, 1, now(),
      now() - number * interval '1 s' FROM numbers`,
  `INSERT INTO entry_schedules (tenant_id, content_type_id, entry_id, publish_at, unpublish_at)
    SELECT tenant_id, parent, id, now() + number * interval '1 minute', now() + number * interval '2 minutes' FROM numbers`,
  `INSERT INTO scheduled_jobs (tenant_id, kind, key, due_at, next_at, attempts)
    SELECT tenant_id, 'schedule', id, now() + number * interval '1 minute', now() + number * interval '1 minute', 0 FROM numbers`,
  `INSERT INTO stored_responses (tenant_id, owner, key, request, status, headers, body, expires_at)
    SELECT tenant_id, '', id, '\\x00', 201, '{}', repeat('word ', 40), now() + number * interval '1 s' FROM numbers`,
  `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
    SELECT tenant_id, parent, field, field || number, '', id FROM numbers, unnest('{title,price,kind,at}'::text[]) AS field`,
  `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
    SELECT tenant_id, parent, id, array_to_tsvector(ARRAY['00000', '00000word' || number, '00000word' || number % 100]) FROM numbers`,
  `INSERT INTO entry_locale_words (tenant_id, content_type_id, entry_id, document, views, words)
    SELECT tenant_id, parent, id, 'de', '{de,de+}', array_to_tsvector(ARRAY['00000', '00000word' || number, '00000word' || number % 100]) FROM numbers`,
  `INSERT INTO search_words (tenant_id, content_type_id, length, word)
    SELECT tenant_id, parent, char_length('word' || number), 'word' || number FROM numbers`,
  `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
    SELECT tenant_id, parent, 'slug', '=slug' || number, id FROM numbers`,
  `INSERT INTO submissions (tenant_id, form_id, id, fields, digest, verdict, created_at)
    SELECT tenant_id, parent, id, json_build_object('message', repeat('word ', 40)), id, CASE WHEN number % 4 = 0 THEN 'spam' END, now()
    FROM numbers`,
  `INSERT INTO submission_files (tenant_id, id, form_id, submission_id, field, name, mime_type, size)
    SELECT tenant_id, id, parent, id, 'cv', 'cv' || number || '.pdf', 'application/pdf', 1000 FROM numbers`,
  `INSERT INTO challenge_solutions (tenant_id, expires_at, id) SELECT tenant_id, now() + number * interval '1 s', id FROM numbers`,
  `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
    SELECT tenant_id, parent, field, field || number, id FROM numbers, unnest('{email,message}'::text[]) AS field`,
  `INSERT INTO submission_words (tenant_id, form_id, submission_id, words, gaps)
    SELECT tenant_id, parent, id, array_to_tsvector(ARRAY['00000', '00000word' || number, '00000word' || number % 100]), 0 FROM numbers`,
  `INSERT INTO deleted_submissions (tenant_id, form_id, day, ok, spam)
    SELECT tenant_id, parent, date '2000-01-01' + number, 1, 0 FROM numbers`,
  `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, parent, 'a@example.com', 'sent', 1, now(), now() FROM numbers`,
  `INSERT INTO letters (tenant_id, id, kind, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, 'invitation', 'sent', 1, now(), now() FROM numbers`,
  `INSERT INTO mail_notices (tenant_id, event_id, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, 'done', 1, now(), now() FROM numbers`,
  `INSERT INTO review_mails (tenant_id, event_id, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, 'done', 1, now(), now() FROM numbers`,
  `INSERT INTO erasures (tenant_id, id, form_id, after, late, submissions, files, mails, deliveries, requested_at, done_at)
    SELECT tenant_id, id, parent, id, true, 1, 0, 1, 1, now(), now() FROM numbers`,
  `INSERT INTO crm_jobs (tenant_id, event_id, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, 'done', 1, now(), now() FROM numbers`,
  `INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
    SELECT tenant_id, id, 'entry.created', id, 1, now() FROM numbers`,
  `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
    SELECT tenant_id, id, version, '{}', repeat('word ', 40), now(), id FROM numbers, generate_series(1, 3) AS version`,
  `INSERT INTO event_positions (tenant_id, position, event_id, type)
    SELECT tenant_id, number, id, 'entry.created' FROM numbers`,
  `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, parent, id, 'entry.created', 'succeeded', 1, now(), now() FROM numbers`,
  `INSERT INTO event_days (tenant_id, day, type, events)
    SELECT tenant_id, date '1900-01-01' + number, 'entry.created', 1 FROM numbers`,
  `INSERT INTO delivery_hours (tenant_id, hour, deliveries)
    SELECT tenant_id, timestamptz '2000-01-01' + number * interval '1 hour', 1 FROM numbers`,
  `INSERT INTO entry_presence (tenant_id, actor, entry_id, since, seen_at)
    SELECT tenant_id, 'usr_' || number % 500, id, now(), now() FROM numbers`,
  `INSERT INTO webhook_replays (tenant_id, id, webhook_id, types, since, until, after_id, remaining)
    SELECT tenant_id, id, parent, '{*}', now(), now(), id, 1 FROM numbers`,
  `INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, status, response)
    SELECT tenant_id, id, id, now(), 5, 200, repeat('word ', 40) FROM numbers`,
  `INSERT INTO audit_records (tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, request_id)
    SELECT tenant_id, id, 'key_' || number % 7, 'key', (ARRAY['created', 'updated', 'deleted'])[1 + number % 3], 'entry', 'ent_' || number % 5000,
      id FROM numbers`,
  `INSERT INTO tenants (id, name, created_at) SELECT 'ten_other' || number, 'Other', now() FROM generate_series(0, 49) AS number`,
  `INSERT INTO people (id, address, email, name, tenants)
    SELECT id, number || '@example.com', number || '@example.com', 'Ada', ARRAY[tenant_id] FROM numbers`,
  `INSERT INTO members (tenant_id, id, person_id, address, email, name, role_id, notify_reviews, joined_at)
    SELECT tenant_id, id, id, number || '@example.com', number || '@example.com', 'Ada', parent, false, now() FROM numbers`,
  `INSERT INTO sessions (id, hash, person_id, browser, last_seen_at) SELECT id, uuid_send(id), id, 'Firefox', now() FROM numbers`,
  `INSERT INTO known_networks (person_id, network, last_used_at) SELECT id, id, now() FROM numbers`,
  `INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
    SELECT id, id, id, '', 0, '{}', 'Phone' FROM numbers`,
  `INSERT INTO identities (issuer, subject, person_id) SELECT 'https://id.example', id, id FROM numbers`,
  `INSERT INTO one_time_tokens (hash, purpose, subject, expires_at) SELECT uuid_send(id), 'reset', id, now() FROM numbers`,
  `INSERT INTO api_keys (tenant_id, id, hash, name, scopes, created_by, root, created_at)
    SELECT tenant_id, id, '\\x00', 'key', '{read}', parent, '\\x00', now() FROM numbers`,
  `INSERT INTO key_uses (tenant_id, key_id, last_used_at) SELECT tenant_id, id, now() FROM numbers`,
  `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, search, created_at)
    SELECT tenant_id, id, 'file' || number, '', 'image/png', 'png', 1, array_to_tsvector(ARRAY['00000word' || number]), now() FROM numbers`,
  `INSERT INTO media_variants (tenant_id, media_id, name, bytes, used_at)
    SELECT tenant_id, id, 'w320.webp', 1000, now() FROM numbers`,
];
/** Tables that stay so small that reading one completely costs little. Every other table is filled above. */
const SMALL_TABLES: Record<string, string> = {
  address_hours: 'The addresses of the last hour.',
  autoresponder_recipients: 'The addresses of the last hour.',
  content_type_moves: 'A few changes of each content type, 500 at most.',
  schema_changes: 'At most 1,000 of a tenant, for a week.',
  content_types: 'A tenant has at most a few hundred types, and each row is wide.',
  digest_slots: 'At most 256 rows for each form that refuses duplicates.',
  entry_counts: 'A few shards for each content type.',
  event_counters: 'One row for each tenant.',
  forms: 'A tenant has at most a few hundred forms.',
  access_versions: 'One row for each tenant.',
  tenant_locales: 'One row for each tenant.',
  locale_purges: 'A few of a tenant, for a week.',
  mail_days: 'One row for each form with an autoresponder, and two for each tenant.',
  mail_hours: 'One row for each form that received submissions in the last hours.',
  media_counts: 'A few shards for each tenant.',
  media_variant_totals: 'One row for each tenant.',
  migrations: 'One row for each migration.',
  orphaned_files: 'Only uploads in progress and deletions that failed.',
  pending_events: 'A row is removed within a second.',
  roles: 'A tenant has at most 100 roles.',
  submission_counts: 'A few shards for each form.',
  private_file_counts: 'A few shards for each tenant.',
  submission_word_marks: 'One row for each form whose submissions were searched.',
  subscriber_positions: 'One row for each tenant and subscriber.',
  subscribers: 'One row for each subscriber.',
  tenants: 'One row for each tenant of the configuration.',
  webhooks: 'A tenant has at most a few dozen webhooks.',
};
const bigTables = () =>
  MUCH_DATA.flatMap((text) => /INSERT INTO (\w+)/.exec(text)?.[1] ?? []).filter((name) => name !== 'tenants');

describe('every statement of the service', () => {
  let database: TestDatabase;
  let app: TestApp;
  let ids: Set<string>;
  let tables: Set<string>;
  /** Every statement that ran, and every declared statement that did not. */
  const statements = new Map<string, Statement>();
  let recorded: Set<string | undefined>;
  /** The texts of the statements of each transaction. A statement outside of a transaction is one by itself. */
  const transactions: string[][] = [];
  let recordedTypes: string[];
  beforeAll(async () => {
    const digests = { MAIL_HOURLY_LIMIT: '1', MAIL_DIGEST_INTERVAL: '100ms' };
    database = await createDatabase();
    // The tables of the extension, which the template lacks.
    await migrate(database.url);
    for (const text of createWorkTable('crm_jobs')) await database.query(text);
    await distributeTable(database, 'crm_jobs');
    // Two statements may have the same text.
    const names = new Set<string | undefined>();
    const stopRecording = record((statement) => {
      if (statement.text === TYPES_SO_FAR) return;
      // A step of a write is named after it.
      names.add(statement.name?.split('/')[0]);
      statements.set(statement.text, statement);
    }, transactions);
    // Nothing listens on this port.
    const modules = [CrmModule.at('https://127.0.0.1:1/')];
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', ...digests }, { database, modules });
    ids = new Set(app.config.tenants.map(({ id }) => id));
    for (const scenario of await scenariosOf(app)) {
      MUCH_DATA.push(...scenario.muchData);
      ACROSS_TENANTS.push(...(scenario.acrossTenants ?? []));
      Object.assign(SMALL_TABLES, scenario.smallTables);
      Object.assign(NOT_RECORDED, scenario.notRecorded);
      Object.assign(NOT_RECORDED_TYPES, scenario.notRecordedEvents);
    }
    const rows = await app.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'`,
    );
    tables = new Set(rows.map(({ name }) => name));
    for (let times = 0; times < 2; times++) await playScenario(app, app.tenant());
    // A subscriber that is added while there are events already.
    app.get(Subscribers).add({ name: 'late', startsFrom: 'now', accept: () => Promise.resolve() });
    await app.get(SubscriberRegistry).register();
    for (const tenantId of ids) await app.get(SubscriberFeeds).isDue({ tenantId });
    await app.get(EventRetention).prune();
    const stream = await playOccasions(app);
    await app.get(Backlog).waiting();
    await app.get(Backlog).failed();
    await app.get(Backlog).subscribers();
    const seen = () => [...names];
    // Workers run some of them later. A test reports those that never ran.
    const awaited = declaredByService().filter(({ name }) => !(name in NOT_RECORDED));
    const awaitedTypes = eventTypes().filter((type) => !(type in NOT_RECORDED_TYPES));
    await until(async () => {
      const events = await app.database.query<{ type: string }>(TYPES_SO_FAR);
      recordedTypes = events.map(({ type }) => type);
      return (
        awaited.every(({ name }) => seen().includes(name)) && awaitedTypes.every((type) => recordedTypes.includes(type))
      );
    }).catch(() => undefined);
    stopRecording();
    stream.close();
    recorded = new Set(seen());
    const [tenantId = ''] = ids;
    // On Citus, a write is its steps.
    const others = declaredByService().filter(({ name, steps }) => !recorded.has(name) && !(TEST_CITUS_URL && steps));
    for (const one of others) {
      statements.set(one.text, await withSampleValues(app, one, tenantId));
    }
  }, 240_000);
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const ofTenants = () =>
    [...statements.values()].filter(
      ({ text }) => !CONTROL.test(text) && [...tables].some((table) => new RegExp(`(?<!AS )\\b${table}\\b`).test(text)),
    );
  const isAcross = ({ name }: Statement) => name !== undefined && ACROSS_TENANTS.includes(name);

  it('was recorded: reads and writes of every table', () => {
    const texts = ofTenants()
      .map(({ text }) => text)
      .join('\n');
    expect(ofTenants().length).toBeGreaterThan(40);
    const unused = [...tables].filter((table) => !texts.includes(table));
    expect(unused.map((table) => `No statement of the scenario uses the table ${table}.`)).toEqual([]);
  });

  it('is recorded, or listed with the reason why it is not', () => {
    const unknown = declaredByService().filter(({ name }) => !recorded.has(name) && !(name in NOT_RECORDED));
    expect(
      unknown.map(
        ({ name }) =>
          `${name} never ran. Call its endpoint in test/support/scenario.ts, or list it in NOT_RECORDED with the reason ${EXTENSION('play and notRecorded')}.`,
      ),
    ).toEqual([]);
    const names = declaredByService().map(({ name }) => name);
    expect(Object.keys(NOT_RECORDED).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('on a tenant’s table has the tenant’s ID as a parameter', () => {
    const without = ofTenants().filter(
      (statement) => !isAcross(statement) && !statement.values.some((value) => ids.has(String(value))),
    );
    expect(without.map(({ text }) => text)).toEqual([]);
  });

  it('uses tables of people or tables of tenants, and not both, because they may be on different servers', () => {
    const ofPeople = ['identities', 'known_networks', 'one_time_tokens', 'passkeys', 'people', 'sessions'];
    const mixed = declaredByService().filter(({ text }) => {
      const used = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(\w+)/g)].map(([, table = '']) => table);
      return used.some((table) => ofPeople.includes(table)) && used.some((table) => tables.has(table));
    });
    expect(mixed.map(({ name }) => name)).toEqual([]);
  });

  // On Citus, the plan on the coordinator only says which shards a statement goes to.
  const itOnCitus = TEST_CITUS_URL ? it : it.skip;

  itOnPlain(
    'reads rows of a tenant’s table only under a condition on that parameter, as PostgreSQL plans it',
    async () => {
      const open: string[] = [];
      for (const statement of ofTenants().filter((one) => !isAcross(one))) {
        const found = await openScans(statement);
        open.push(...found.map((scan) => `${scan} in ${statement.text}`));
      }
      expect(open).toEqual([]);
    },
  );

  itOnPlain('without that condition is detected', async () => {
    const [id] = ids;
    for (const text of [
      'SELECT $1 = $1 FROM entries',
      'SELECT 1 FROM entries e JOIN content_types t ON t.id = e.content_type_id WHERE e.tenant_id = $1',
      'UPDATE webhooks SET active = $1 = $1',
      'DELETE FROM events USING tenants t WHERE t.id = $1',
      'SELECT 1 FROM entries WHERE tenant_id = $1 OR status <> $1',
    ]) {
      expect([text, (await openScans({ text, values: [id] })).length]).toEqual([text, 1]);
    }
  });

  /** The scans of tenants' tables with neither a condition on the tenant nor a join to the tenant of a bound row. */
  const openScans = async (statement: Statement): Promise<string[]> => {
    const all = scans(await explain(app, statement));
    const bound = new Set<string>();
    const isBound = ({ conditions }: Scan) =>
      conditions.some((one) => {
        const [, value, alias] = TENANT_IS.exec(one) ?? [];
        return (value !== undefined && ids.has(value)) || (alias !== undefined && bound.has(alias));
      });
    // A scan may be bound through another one that comes later in the plan, so repeat.
    for (let round = 0; round < 3; round++) for (const scan of all) if (isBound(scan)) bound.add(scan.alias);
    return all
      .filter((scan) => tables.has(scan.table) && !isBound(scan))
      .map(({ table, conditions }) => `${table}: ${conditions.join(' AND ')}`);
  };

  itOnCitus('of a request uses no shard but that of its tenant', async () => {
    const others: string[] = [];
    for (const statement of ofTenants().filter((one) => !isAcross(one))) {
      const shards = await shardsOf(app, statement);
      if (shards.some((count) => count > 1)) others.push(`${shards.join(', ')}: ${statement.name ?? statement.text}`);
    }
    expect(others).toEqual([]);
    const [id] = ids;
    expect(await shardsOf(app, { text: 'SELECT 1 FROM entries WHERE tenant_id = $1', values: [id] })).toEqual([1]);
    expect(await shardsOf(app, { text: 'SELECT 1 FROM entries WHERE tenant_id <> $1', values: [id] })).not.toEqual([1]);
  });

  it('inserts rows only with that parameter', () => {
    const inserts = ofTenants().flatMap(({ text }) =>
      [...text.matchAll(/INSERT INTO "?(\w+)"?(?:\s+AS \w+)?\s*\(([^)]*)\)\s*(SELECT|VALUES)\s*\(?\s*(\S+?),/gi)].map(
        ([whole, table = '', columns = '', , first]) => ({
          table,
          leads: /^\s*"?tenant_id"?,/.test(columns) && isTenantOf(text).test(first ?? ''),
          whole,
        }),
      ),
    );
    const count = ofTenants().reduce((sum, { text }) => sum + (text.match(/INSERT INTO/gi)?.length ?? 0), 0);
    expect(inserts.length).toBe(count);
    expect(inserts.filter(({ table, leads }) => tables.has(table) && !leads)).toEqual([]);
  });

  it('has steps that PostgreSQL understands, if it is a write of several parts', async () => {
    const steps = declaredByService().flatMap(({ name, steps: texts = [] }) => texts.map((text) => ({ name, text })));
    expect(steps.length).toBeGreaterThan(200);
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    const faults: string[] = [];
    for (const { name, text } of steps) {
      const prepared = client.query(`PREPARE step AS ${text}`).then(() => client.query('DEALLOCATE step'));
      await prepared.catch((error: Error) => faults.push(`${name}: ${error.message} in ${text}`));
    }
    await client.end();
    expect(faults).toEqual([]);
  });

  it('binds its values: its text contains no ID', () => {
    const literal = /ten_[a-z0-9]{6,}|'[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect([...statements.keys()].filter((text) => literal.test(text))).toEqual([]);
  });

  itOnPlain('scans no big table completely in its generic plan', async () => {
    const [tenantId] = ids;
    const { extra } = dataSourceOptions(app.database.url, 1) as { extra: { options: string } };
    const client = new pg.Client({
      connectionString: app.database.url,
      options: `${extra.options} -c statement_timeout=0`,
    });
    await client.connect();
    try {
      for (const statement of MUCH_DATA) {
        await client.query(statement.replaceAll(':tenant', `'${tenantId}'`)).catch((error: Error) => {
          throw new Error(`${error.message}, in MUCH_DATA ${EXTENSION('muchData')}: ${statement}`);
        });
      }
      await client.query('ANALYZE');
      const wholeScans = async ({ text, values }: Statement): Promise<string[]> => {
        await client.query(`PREPARE statement AS ${text}`);
        const arguments_ = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE statement ${arguments_}`,
        );
        await client.query('DEALLOCATE statement');
        return nodes(rows[0]!['QUERY PLAN'][0]!.Plan).flatMap((node) =>
          node['Node Type'] === 'Seq Scan' && bigTables().includes(node['Relation Name']!)
            ? [`${node['Relation Name']} in ${text}`]
            : [],
        );
      };
      const noticed = { text: 'SELECT id FROM entries WHERE version = $1::int', values: [7] };
      expect(await wholeScans(noticed)).toHaveLength(1);
      const found: string[] = [];
      for (const statement of ofTenants()) found.push(...(await wholeScans(statement)));
      expect(found).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('is planned on full tables: every table is filled, or listed with the reason why it stays small', async () => {
    const rows = await app.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
    );
    const all = rows.map(({ name }) => name);
    const unknown = all.filter((name) => !bigTables().includes(name) && !(name in SMALL_TABLES));
    expect(
      unknown.map(
        (name) =>
          `${name} is new. Fill it in MUCH_DATA, or list it in SMALL_TABLES with the reason why it stays small ${EXTENSION('muchData and smallTables')}.`,
      ),
    ).toEqual([]);
    expect([...bigTables(), ...Object.keys(SMALL_TABLES)].filter((name) => !all.includes(name))).toEqual([]);
  });

  it('that records an event is in the transaction of the change', () => {
    const alone = (texts: readonly string[]) => texts.some(recordsEvent) && !texts.some(changesMore);
    expect(alone(['INSERT INTO events (tenant_id) SELECT $1'])).toBe(true);
    expect(transactions.filter((texts) => texts.some(recordsEvent)).length).toBeGreaterThan(5);
    expect(
      transactions
        .filter(alone)
        .map(
          (texts) =>
            `This transaction records an event but changes nothing. Record it with its change:\n${texts.join('\n')}`,
        ),
    ).toEqual([]);
  });

  it('that records a change for the audit log is in the transaction of the change', () => {
    const alone = (texts: readonly string[]) =>
      texts.some(recordsChange) && !texts.some(changesMore) && !texts.some(makesLink);
    expect(alone(['INSERT INTO audit_records (tenant_id) SELECT $1'])).toBe(true);
    expect(transactions.filter((texts) => texts.some(recordsChange)).length).toBeGreaterThan(5);
    expect(
      transactions
        .filter(alone)
        .map(
          (texts) =>
            `This transaction records a change but makes none. Record it with its change:\n${texts.join('\n')}`,
        ),
    ).toEqual([]);
  });

  it('of the scenario together records every declared event type', () => {
    const missing = eventTypes().filter((type) => !recordedTypes.includes(type) && !(type in NOT_RECORDED_TYPES));
    expect(
      missing.map(
        (type) =>
          `No request of the scenario records ${type}, which is declared. Add a request to test/support/scenario.ts, or list it in NOT_RECORDED_TYPES with the reason ${EXTENSION('play and notRecordedEvents')}.`,
      ),
    ).toEqual([]);
    const recordedNow = Object.keys(NOT_RECORDED_TYPES).filter((type) => recordedTypes.includes(type));
    expect(recordedNow.map((type) => `The scenario records ${type}: remove it from NOT_RECORDED_TYPES.`)).toEqual([]);
  });

  it('across all tenants only reads, and locks nothing', () => {
    for (const { text } of ofTenants().filter(isAcross)) {
      expect(text).toMatch(/^\s*(SELECT|WITH)/i);
      expect(text).not.toMatch(/\b(INSERT|UPDATE|DELETE|FOR (UPDATE|SHARE|NO KEY UPDATE|KEY SHARE))\b/);
    }
  });
});

function recordsEvent(text: string): boolean {
  return /INSERT INTO events\b/.test(text);
}

function recordsChange(text: string): boolean {
  return /INSERT INTO audit_records\b/.test(text);
}

function changesMore(text: string): boolean {
  return /\b(INSERT INTO|UPDATE|DELETE FROM) "?(?!events\b|pending_events\b|audit_records\b|SET\b)\w+/.test(text);
}

/** A preview link is not stored: the statement holds its entry, and the record is all that changes. */
function makesLink(text: string): boolean {
  return /\b(?:entry AS|FROM entries) [^)]*\(SELECT FROM type\)\s+FOR KEY SHARE/.test(text);
}

/**
 * Calls `note` with every statement that any connection runs from now on, and adds each transaction to `transactions`. Returns a function
 * that stops this.
 */
function record(note: (statement: Statement) => void, transactions: string[][]): () => void {
  const open = new WeakMap<pg.Client, string[]>();
  const group = (client: pg.Client, text: string) => {
    if (/^\s*(START TRANSACTION|BEGIN)/i.test(text)) {
      const texts: string[] = [];
      open.set(client, texts);
      transactions.push(texts);
    } else if (/^\s*(COMMIT|ROLLBACK(?! TO))/i.test(text)) open.delete(client);
    else if (open.has(client)) open.get(client)?.push(text);
    else transactions.push([text]);
  };
  const { prototype } = pg.Client;
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args as [string | Partial<Statement> | undefined, unknown];
    const name = typeof first === 'object' ? first.name : undefined;
    const text = typeof first === 'string' ? first : first?.text;
    const values =
      (typeof first === 'object' ? first.values : undefined) ?? (Array.isArray(second) ? (second as unknown[]) : []);
    if (text !== undefined) {
      note({ name, text, values });
      group(this, text);
    }
    return original.apply(this, args);
  };
  prototype.query = recording as typeof prototype.query;
  return () => {
    prototype.query = original as typeof prototype.query;
  };
}

/** The expressions that are the bound tenant's ID. */
function isTenantOf(text: string): RegExp {
  return text.includes('WHERE tenant.id = $1') ? /^(\$1(::text)?|tenant\.id)$/ : /^\$1(::text)?$/;
}

/** Runs what no request of the scenario causes. Returns a stream that stays open. */
async function playOccasions(app: TestApp): Promise<EventStreamReader> {
  const tenant = app.tenant();
  const { id: tenantId } = tenant;
  const event = { type: 'entry.created', data: '{}', at: new Date() } as const;
  await app.get(Database).transaction(tenantId, async (transaction) => {
    await transaction.query(tenantId, ANNOUNCE, { ids: [newUuid()], since: new Date(0) });
    await app.get(EventRecorder).record(transaction, tenantId, [event]);
  });
  // From the beginning of the feed, and then what happens while the stream is open.
  const reader = await EventStreamReader.open(app, tenant, '?cursor=');
  await reader.until(1);
  const type = { name: 'Streamed', fields: [{ name: 'title', type: 'text' }] };
  await tenant.http.post(`/v1/content/${tenantId}/types`, type).expect(201);
  await reader.until(2);
  await app.get(MediaSweeper).sweep();
  await app.get(StoredResponseRetention).prune();
  await app.get(AuditRetention).prune();
  await app.get(SolutionRetention).prune();
  return reader;
}

/** A declared statement with a value of the right type for each of its parameters. */
async function withSampleValues(
  app: TestApp,
  { name, text, isOfTenant }: { name: string; text: string; isOfTenant: boolean },
  tenantId: string,
): Promise<Statement> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query(`PREPARE statement AS ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'statement'`,
    );
    const values = (rows[0]?.types ?? []).map(sampleOf);
    if (isOfTenant) values[0] = tenantId;
    return { name, text, values };
  } finally {
    await client.end();
  }
}

function sampleOf(type: string): string {
  if (type.endsWith('[]')) return `{${JSON.stringify(sampleOf(type.slice(0, -2)))}}`;
  if (type === 'uuid') return '01900000-0000-7000-8000-000000000000';
  if (/^(smallint|integer|bigint|numeric|real|double precision)$/.test(type)) return '1';
  if (type.startsWith('timestamp')) return '2026-01-31T09:30:00Z';
  if (type.startsWith('json')) return '{}';
  return type === 'boolean' ? 'true' : '';
}

async function explain(app: TestApp, { text, values }: Statement): Promise<PlanNode> {
  const [row] = await app.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (VERBOSE, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error(`There is no plan of ${text}`);
  return plan;
}

/** The number of shards that Citus uses for each step of the statement. */
async function shardsOf(app: TestApp, { text, values }: Statement): Promise<number[]> {
  const [row] = await app.database
    .query<{ 'QUERY PLAN': object }>(`EXPLAIN (FORMAT JSON) ${text}`, values)
    .catch((error: Error) => {
      // Citus cannot explain some insertions of rows that are parameters. They read no shard.
      if (error.message === 'could not create distributed plan' && /INSERT INTO/.test(text)) return [];
      throw new Error(`${error.message}: ${text}`);
    });
  const plan = JSON.stringify(row?.['QUERY PLAN'] ?? {});
  return [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count));
}

function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)];
}

/** A value as a literal for EXECUTE: text, for parameters of any type. Bytes are tsvectors, which no generic plan looks at. */
function literal(value: unknown): string {
  if (value === null || value === undefined || Buffer.isBuffer(value)) return 'NULL';
  if (!Array.isArray(value)) return pg.escapeLiteral(textOf(value));
  const elements = value.map((element) => (element === null ? 'NULL' : JSON.stringify(textOf(element))));
  return pg.escapeLiteral(`{${elements.join(',')}}`);
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Splits `((a = 1) AND (b = 2))` into `a = 1` and `b = 2`. Conditions joined by OR stay together. */
function conjuncts(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < condition.length; at++) {
    if (condition[at] === '(') depth++;
    else if (condition[at] === ')') depth--;
    else if (depth === 0 && condition.startsWith(' AND ', at)) {
      parts.push(condition.slice(from, at));
      from = at + 5;
    }
  }
  parts.push(condition.slice(from));
  return parts.length > 1 ? parts.flatMap(conjuncts) : unwrapped(condition);
}

function unwrapped(condition: string): string[] {
  if (!condition.startsWith('(')) return [condition];
  let depth = 0;
  for (let at = 0; at < condition.length; at++) {
    if (condition[at] === '(') depth++;
    else if (condition[at] === ')' && --depth === 0) {
      return at === condition.length - 1 ? conjuncts(condition.slice(1, -1)) : [condition];
    }
  }
  return [condition];
}

/**
 * Every scan of a plan with the conditions that must all hold. A bitmap heap scan includes the conditions of its index scans; the
 * conditions of a subquery belong to the one table that it reads.
 */
function scans(node: PlanNode): Scan[] {
  const below = (node.Plans ?? []).flatMap(scans);
  const { 'Node Type': type, 'Relation Name': table, Alias: alias = '' } = node;
  if (type === 'Subquery Scan') {
    const [only, ...others] = below;
    if (only && others.length === 0) only.conditions.push(...conditionsOf(node));
  }
  if (!type.endsWith('Scan') || table === undefined) return below;
  const nodes = [node, ...(type === 'Bitmap Heap Scan' ? (node.Plans ?? []) : [])];
  return [{ table, alias, conditions: nodes.flatMap(conditionsOf) }, ...below];
}

function conditionsOf(node: PlanNode): string[] {
  return CONDITIONS.flatMap((name) => (node[name] as string | undefined) ?? []).flatMap(conjuncts);
}
