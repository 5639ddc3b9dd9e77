import { recordChange } from '../../audit/record-changes.js';
import type { AuditParameter } from '../../audit/record-changes.js';
import { type NoParameters, statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { FOLLOW_LOCALES } from './locale-jobs.js';

/** `settings` is the JSON text of `LocaleSettings`. */
interface SettingsRow {
  settings: string;
}

/** Returns no row before the tenant has set its locales. */
export const GET_LOCALES = statement<NoParameters, SettingsRow>()(
  'locales.get',
  'SELECT settings FROM tenant_locales WHERE tenant_id = :tenantId',
);

/** Adds the row that `LOCK_LOCALES` and `HOLD_LOCALES` lock. */
export const ADD_FIRST_LOCALES = write<{ settings: string }, never>()('locales.add_first', [
  insert(
    'added',
    `INSERT INTO tenant_locales (tenant_id, settings, revision, updated_at) VALUES (:tenantId, :settings::text::json, 0, now())
    ON CONFLICT DO NOTHING`,
  ),
]);

/** Locks the settings before they are changed. */
export const LOCK_LOCALES = statement<NoParameters, SettingsRow>()(
  'locales.lock',
  'SELECT settings FROM tenant_locales WHERE tenant_id = :tenantId FOR UPDATE',
);

/** Keeps the settings as they are until the commit of what depends on them. */
export const HOLD_LOCALES = statement<NoParameters, SettingsRow>()(
  'locales.hold',
  'SELECT settings FROM tenant_locales WHERE tenant_id = :tenantId FOR SHARE',
);

/** The scheduled job is due when the request that sets them has changed the types by itself, unless it broke off. */
export const SET_LOCALES = write<
  { settings: string; revision: number; at: string; job: string } & AuditParameter,
  never
>()('locales.set', [
  insert(
    'stored',
    `INSERT INTO tenant_locales (tenant_id, settings, revision, updated_at)
      VALUES (:tenantId, :settings::text::json, :revision::int, :at::timestamptz)
      ON CONFLICT (tenant_id) DO UPDATE SET settings = excluded.settings, revision = excluded.revision, updated_at = excluded.updated_at
      RETURNING 1`,
  ),
  putJob('stored', { kind: FOLLOW_LOCALES, key: ':job::uuid', at: `now() + interval '1 minute'` }),
  recordChange('stored'),
]);

/** The content types with localized fields. */
export const LOCALIZED_TYPES = statement<NoParameters, { slug: string; fields: string }>()(
  'locales.types',
  `SELECT slug, fields FROM content_types WHERE tenant_id = :tenantId AND locales IS NOT NULL ORDER BY id`,
);

/**
 * The content types whose entries are stored in earlier locales than those of the tenant. `isWaiting`: a change of the type is in progress, or one has
 * failed just now, so that the next one would fail for the same reason.
 */
export const TYPES_BEHIND = statement<NoParameters, { id: string; isWaiting: boolean }>()(
  'locales.types_behind',
  `SELECT t.id, t.change_id IS NOT NULL OR EXISTS (
      SELECT FROM schema_changes c WHERE c.tenant_id = :tenantId AND c.content_type_id = t.id AND c.state = 'failed'
        AND c.finished_at > now() - interval '10 minutes'
    ) AS "isWaiting"
    FROM content_types t JOIN tenant_locales l ON l.tenant_id = :tenantId
    WHERE t.tenant_id = :tenantId AND t.locales IS NOT NULL AND (t.locales ->> 'revision')::int < l.revision ORDER BY t.id`,
);
