import { recordChange } from '../../audit/record-changes.js';
import type { AuditParameter } from '../../audit/record-changes.js';
import { type NoParameters, statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';

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

export const SET_LOCALES = write<{ settings: string; revision: number; at: string } & AuditParameter, never>()(
  'locales.set',
  [
    insert(
      'stored',
      `INSERT INTO tenant_locales (tenant_id, settings, revision, updated_at)
      VALUES (:tenantId, :settings::text::json, :revision::int, :at::timestamptz)
      ON CONFLICT (tenant_id) DO UPDATE SET settings = excluded.settings, revision = excluded.revision, updated_at = excluded.updated_at
      RETURNING 1`,
    ),
    recordChange('stored'),
  ],
);

/** The content types with localized fields. */
export const LOCALIZED_TYPES = statement<
  NoParameters,
  { id: string; slug: string; fields: string; revision: number }
>()(
  'locales.types',
  `SELECT id, slug, fields, (locales ->> 'revision')::int AS revision FROM content_types
    WHERE tenant_id = :tenantId AND locales IS NOT NULL ORDER BY id`,
);
