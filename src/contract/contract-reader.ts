import { Injectable } from '@nestjs/common';
import { mayRead } from '../access/may-read.js';
import { heavyWork } from '../admission/heavy-work.js';
import type { SlicedWork } from '../admission/sliced-work.js';
import { CONTENT_TYPE_SLUGS } from '../content/schemas.js';
import type { Targets } from '../content/content-type.entity.js';
import { localesOf } from '../content/locales/tenant-locales.js';
import { ofTypes } from '../content/narrowed-lists.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import { Schema } from '../fields/schema.js';
import type { Caller } from '../http/caller.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { missingSlug } from '../ids/missing-slug.js';
import {
  type ContractFormRow,
  CONTRACT_FORMS,
  type NamedTypeRow,
  SIZE_OF_FORMS,
  SIZE_OF_TYPES,
  STATE_OF_FORMS,
  STATE_OF_TYPES,
  TYPE_BY_ID,
  TYPE_BY_SLUG,
  type TypeRow,
  TYPES,
} from './contract.sql.js';
import type { Contracted, ContractedForm, ContractedType } from './contracted.js';

/** Bytes of the definitions in a contract. A type with 100 fields takes about 6 kB, more with labels and options. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads what a caller may know of the schema of its tenant. */
@Injectable()
export class ContractReader {
  constructor(private readonly database: Database) {}

  /** Returns a text that differs after a change of the locales, or of a type or form that the caller may know of. */
  async stateFor(caller: Caller): Promise<string> {
    const { tenantId } = caller;
    const [types] = await this.database.query(tenantId, STATE_OF_TYPES, ofTypes(caller));
    const [forms] = seesForms(caller) ? await this.database.query(tenantId, STATE_OF_FORMS, {}) : [];
    return `${types?.digest} ${forms?.digest}`;
  }

  /** Returns the content type with its definitions as JSON text. Throws a 404 if it is unknown. */
  async typeNamed({ tenantId }: Caller, name: IdOrSlug): Promise<NamedTypeRow> {
    const { id, slug } = name;
    const [row] = await (id === undefined
      ? this.database.query(tenantId, TYPE_BY_SLUG, { slug })
      : this.database.query(tenantId, TYPE_BY_ID, { id }));
    if (!row) throw await missingSlug(this.database, tenantId, CONTENT_TYPE_SLUGS, name);
    return row;
  }

  /** Throws a 403 if the contract of the types and forms would be too large. */
  async read(caller: Caller): Promise<Contracted> {
    const { tenantId } = caller;
    const sizes = [
      ...(await this.database.query(tenantId, SIZE_OF_TYPES, ofTypes(caller))),
      ...(seesForms(caller) ? await this.database.query(tenantId, SIZE_OF_FORMS, {}) : []),
    ];
    if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) throw tooLarge();
    const types = await this.database.query(tenantId, TYPES, ofTypes(caller));
    const forms = seesForms(caller) ? await this.database.query(tenantId, CONTRACT_FORMS, {}) : [];
    const settings = await localesOf(this.database, tenantId);
    return heavyWork.run(tenantId, compiled(tenantId, types, forms, settings));
  }
}

function* compiled(
  tenantId: string,
  types: TypeRow[],
  forms: ContractFormRow[],
  settings: LocaleSettings,
): SlicedWork<Contracted> {
  const contracted: { types: ContractedType[]; forms: ContractedForm[] } = { types: [], forms: [] };
  for (const { fields, targets, ...type } of types) {
    const schema = Schema.compile(JSON.parse(fields) as FieldDefinition[], 'content');
    contracted.types.push({ ...type, schema, targets: JSON.parse(targets) as Targets });
    yield;
  }
  for (const { fields, ...form } of forms) {
    contracted.forms.push({ ...form, schema: Schema.compile(JSON.parse(fields) as FieldDefinition[], 'form') });
    yield;
  }
  const hasLocales = settings.revision > 0 || contracted.types.some(({ schema }) => schema.isLocalized);
  return { tenantId, ...contracted, locales: hasLocales ? settings : undefined };
}

/** A key that is limited to content types knows of forms only if it may read them. Visitors see the fields of every form. */
function seesForms(caller: Caller): boolean {
  return caller.types === undefined || mayRead(caller, { area: 'forms' });
}

function tooLarge(): Problem {
  const detail =
    'The definitions of the content types and forms are too large for one contract. Use a key that is limited to some of the content types.';
  return new Problem('limit_reached', detail);
}
