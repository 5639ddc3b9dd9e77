import type { CompiledField } from '../../fields/compiled-field.js';
import { chainOf, FIRST_SETTINGS } from '../../fields/localized/locale-settings.js';
import { isStoredName } from '../../fields/localized/localized-names.js';
import { sourcesOf } from '../../fields/localized/shown-value.js';
import { ALL_LOCALES, type LocaleRequest } from '../locales/locale-request.js';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { unknownField } from '../../fields/unknown-field.js';
import type { Caller } from '../../http/caller.js';
import { faultOfText } from '../../http/bodies/storable-values.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { ENTRY_BY_VALUE } from './entries.sql.js';

/** The look-up fails if the schema changes this many times meanwhile. */
const MAX_TRIES = 5;

/** Finds the entry that has a value of a unique field. */
@Injectable()
export class EntryByValue {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /**
   * Returns the ID of the entry and of its content type. In a locale, its own values come before those that it falls back to. Whether the caller may read the entry is not checked. Throws a 400 (`unknown_field`)
   * if there is no unique field of this name, and a 404 if no entry has the value.
   */
  async find(
    caller: Caller,
    typeName: IdOrSlug,
    name: string,
    value: string,
    locale?: LocaleRequest,
  ): Promise<{ typeId: string; entryId: string }> {
    let type = await this.schemas.readable(caller, typeName);
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      for (const field of uniqueFields(type, name, locale)) {
        const found = await this.look(caller, type, field, value);
        if (found) return { typeId: type.id, entryId: found };
      }
      // What is missing may be there in the current version of the type.
      const current = await this.schemas.current(caller, typeName);
      if (caller.requireKey && !current.isPublic) await caller.requireKey();
      if (current.id === type.id && current.version === type.version) throw missing(type, name);
      type = current;
    }
    throw Problem.unavailable('The content type changed repeatedly while the entry was looked up.');
  }

  /** Returns undefined if there is no such entry, or if the type is no longer current. */
  private async look(
    { tenantId, share }: Caller,
    type: CompiledType,
    field: CompiledField,
    value: string,
  ): Promise<string | undefined> {
    // The value is in the path, which no other check reads.
    const key = faultOfText(value) === undefined ? field.readEqual(value) : undefined;
    if (!key) return undefined;
    const { id: typeId, version } = type;
    const of = { typeId, version, field: field.filterField, key: key.key, discriminator: key.discriminator };
    const [row] = await this.database.reads.query(tenantId, ENTRY_BY_VALUE, of, share);
    return row?.entryId;
  }
}

/** The field, or of a localized one those whose values the locale shows, first its own. Empty if there is no unique field of the name. */
function uniqueFields({ schema, locales }: CompiledType, name: string, request?: LocaleRequest): CompiledField[] {
  const { locale, hasFallback } = request ?? {};
  if (isStoredName(name)) return [];
  const isDefault = locale === undefined || locale === ALL_LOCALES || !locales || !schema.localized.has(name);
  const reading = {
    chain: hasFallback ? chainOf(locales ?? FIRST_SETTINGS, locale ?? '') : [locale ?? ''],
    default: locales?.default ?? '',
  };
  const names = isDefault ? [name] : sourcesOf(name, reading);
  return names.flatMap((one) => schema.field(one) ?? []).filter(({ unique }) => unique);
}

function missing(type: CompiledType, name: string): Problem {
  // The same as for an entry that the caller must not see.
  if (uniqueFields(type, name).length > 0) return Problem.notFound('entry');
  const unique = type.schema.ownFields.filter(({ unique: is }) => is).map((field) => field.name);
  return unknownField('field', name, unique, 'unique field');
}
