import type { Executor } from '../../database/transaction.js';
import type { ValueError } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { type LocaleSettings, otherCodes } from '../../fields/localized/locale-settings.js';
import { listed } from '../../validation/suggestion.js';
import { heldLocalesOf, localesOf } from './tenant-locales.js';

/** Whether a field of a list, which may have any shape, is localized. */
export function hasLocalized(fields: unknown): boolean {
  return Array.isArray(fields) && fields.some((field) => (field as FieldDefinition | null)?.localized === true);
}

/** The locales of the tenant, if a field is localized. `isHeld`: they stay as they are until the transaction ends. */
export async function neededLocales(
  executor: Executor,
  tenantId: string,
  fields: unknown,
  isHeld = false,
): Promise<LocaleSettings | null> {
  if (!hasLocalized(fields)) return null;
  return isHeld ? heldLocalesOf(executor, tenantId, { isChange: false }) : localesOf(executor, tenantId);
}

/** The errors of `required_in`: of fields that are not localized, and of codes that are not those of other locales of the tenant. */
export function wrongRequiredIn(fields: unknown, locales: LocaleSettings | null): ValueError[] {
  if (!Array.isArray(fields)) return [];
  const possible = locales ? otherCodes(locales) : [];
  return (fields as (FieldDefinition | null)[]).flatMap((field, index): ValueError[] => {
    const { localized, required_in: codes } = field ?? {};
    const path = `fields.${index}.required_in`;
    if (!Array.isArray(codes)) return [];
    if (localized !== true) {
      return [{ path, code: 'not_applicable', message: 'required_in applies only to a localized field.' }];
    }
    const known = possible.length > 0 ? ` The possible ones are ${listed(possible)}.` : '';
    return codes
      .filter((code) => !possible.includes(code))
      .map((code) => ({ path, code: 'options', message: `The tenant has no other locale ${String(code)}.${known}` }));
  });
}
