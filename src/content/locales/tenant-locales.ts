import type { Executor } from '../../database/transaction.js';
import { FIRST_SETTINGS, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import { ADD_FIRST_LOCALES, GET_LOCALES, HOLD_LOCALES, LOCK_LOCALES } from './locales.sql.js';

/** Returns the locales of the tenant. */
export async function localesOf(executor: Executor, tenantId: string): Promise<LocaleSettings> {
  return read(await executor.query(tenantId, GET_LOCALES, {}));
}

/** The same, which stay as they are until the transaction ends. `isChange`: it changes them. */
export async function heldLocalesOf(
  transaction: Executor,
  tenantId: string,
  { isChange }: { isChange: boolean },
): Promise<LocaleSettings> {
  await transaction.query(tenantId, ADD_FIRST_LOCALES, { settings: JSON.stringify(FIRST_SETTINGS) });
  return read(await transaction.query(tenantId, isChange ? LOCK_LOCALES : HOLD_LOCALES, {}));
}

function read([row]: { settings: string }[]): LocaleSettings {
  return row ? (JSON.parse(row.settings) as LocaleSettings) : FIRST_SETTINGS;
}
