import type { Targets } from '../content/content-type.entity.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import type { Schema } from '../fields/schema.js';

/** A content type in a contract. */
export interface ContractedType {
  /** The UUID, which `targets` of other types name. */
  id: string;
  slug: string;
  name: string;
  /** Published entries are read without an API key. */
  isPublic: boolean;
  schema: Schema;
  /** The UUIDs of the content types that each reference leads to. Not all of them need be in the contract. */
  targets: Targets;
}

/** A form in a contract. */
export interface ContractedForm {
  slug: string;
  name: string;
  schema: Schema;
}

/** What a caller may know of a tenant's schema. Types and forms are in the order of their slugs. */
export interface Contracted {
  tenantId: string;
  types: readonly ContractedType[];
  forms: readonly ContractedForm[];
  /** Undefined if the tenant has not set its locales, and no field is localized. */
  locales?: LocaleSettings | undefined;
}
