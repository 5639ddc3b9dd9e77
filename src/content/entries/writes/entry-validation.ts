import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import { Database } from '../../../database/database.js';
import { columns } from '../../../database/statements/text-array.js';
import { Problem, type ValueError } from '../../../errors/problem.js';
import type { SentIn } from '../../../fields/localized/sent-values.js';
import { sentErrors } from '../../locales/sent-in-locale.js';
import type { Reference, UniqueValue } from '../../../fields/schema.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import { targetsOf } from '../../content-type.entity.js';
import { type CompiledType, Schemas } from '../../schemas.js';
import { MISSING_REFERENCES, TAKEN_UNIQUES } from '../entries.sql.js';
import type { EntryFields } from './entry-values.js';
import type { ReferenceLocks } from './entry-parts.sql.js';
import { locksOf, lookUps } from './reference-look-ups.js';

/** Maximum number of errors in a response. */
export const MAX_ERRORS = 1_000;

/** A write in progress. */
export interface Write {
  tenantId: string;
  /** As the path names the type. */
  typeName: IdOrSlug;
  type: CompiledType;
  /** Whether the JSON is so large that work on it must run in steps, in turns with other tenants. */
  isHeavy: boolean;
  /** The locale in which values were sent. */
  locale?: SentIn;
}

/** What a write relies on in the database: nobody else has its unique values, and the entries that its references lead to exist. */
interface Reliance {
  /** The ID of the entry. */
  id: string;
  uniques: readonly UniqueValue[];
  /** The values whose references must exist. */
  referring: EntryFields;
}

/** Looks up what only the database knows of values. */
@Injectable()
export class EntryValidation {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /**
   * Throws a 422 that lists `errors`, which concern the values as they were sent, taken unique values and missing references, if there are any. Returns the entries that the write must lock,
   * which its references in fields with `on_delete` lead to. Returns undefined if the errors may be those of a stale type: the attempt is lost.
   */
  async assertValid(
    write: Write,
    errors: readonly ValueError[],
    reliance: Reliance,
  ): Promise<{ locks: ReferenceLocks | undefined } | undefined> {
    const taken = await this.takenUniques(write, reliance);
    const { missing, locks } = await this.references(write, reliance.referring);
    const all = [...errors, ...sentErrors(write, [...taken, ...missing])];
    if (all.length === 0) return { locks };
    const { id, version } = await this.schemas.fresh(write.tenantId, write.typeName);
    if (id === write.type.id && version === write.type.version) throw Problem.invalid(all.slice(0, MAX_ERRORS));
    return undefined;
  }

  private async takenUniques({ tenantId, type, isHeavy }: Write, { id, uniques }: Reliance): Promise<ValueError[]> {
    if (uniques.length === 0) return [];
    const steps = columns(uniques, { fields: 'field', values: 'key' } as const);
    const sought = { typeId: type.id, entryId: id, ...(await heavyWork.runIf(isHeavy, tenantId, steps)) };
    const taken = await this.database.query(tenantId, TAKEN_UNIQUES, sought);
    return taken.flatMap(({ place }) => {
      const unique = uniques[place - 1];
      return unique ? takenError(unique) : [];
    });
  }

  private async references(
    { tenantId, type, isHeavy }: Write,
    values: EntryFields,
  ): Promise<{ missing: ValueError[]; locks: ReferenceLocks | undefined }> {
    const found = await heavyWork.runIf(isHeavy, tenantId, referencesIn(type, values));
    const { references, sought, locks } = found;
    if (references.length === 0) return { missing: [], locks };
    const missing = await this.database.query(tenantId, MISSING_REFERENCES, sought);
    const errors = missing.slice(0, MAX_ERRORS).flatMap(({ place }) => {
      const reference = references[place];
      return reference ? missingError(reference) : [];
    });
    return { missing: errors, locks };
  }
}

/** The references in the values, how to look them up, and the entries that the write must lock. */
function* referencesIn({ schema, targets }: CompiledType, values: EntryFields) {
  const references = yield* schema.referencesSliced(values);
  const named = references.map(({ field, id, isGuarded }) => ({
    to: id,
    types: targetsOf(targets, field.key),
    isGuarded,
  }));
  const guarded = named.filter(({ isGuarded }) => isGuarded);
  return { references, sought: yield* lookUps(named), locks: yield* locksOf(guarded) };
}

/** The error of a unique value that another entry has. */
export function takenError({ path, name }: UniqueValue): ValueError {
  return { path, code: 'unique', message: `Another entry already has this value for ${name}.` };
}

/** The error of a reference to an entry that does not exist. */
export function missingError({ path, field }: Reference): ValueError {
  const { ownPath: name, contentTypes } = field;
  const types = contentTypes.length === 1 ? 'the content type' : 'one of the content types';
  return {
    path,
    code: 'reference',
    message: `${name} must be the ID of an entry of ${types} ${contentTypes.join(', ')}.`,
  };
}
