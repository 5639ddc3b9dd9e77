import type { Executor } from '../database/transaction.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { withAbsentTypes } from '../fields/definitions/absent-definitions.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { changedReadOnly } from '../http/bodies/read-only.js';
import { presentWholeContentType } from './content-type-presenter.js';
import type { ContentType } from './content-type.entity.js';
import type { UpdateContentTypeDto } from './content-types.dto.js';
import { hasLocalized, neededLocales, wrongRequiredIn } from './locales/type-locales.js';
import { checkPreviewUrl } from './preview-url.js';
import { Earlier, findTargets, type TypesBySlug } from './reference-targets.js';
import { typesWithOnDelete } from './references/types-with-on-delete.js';
import { readRenames } from './schema-changes/field-renames.js';
import { SchemaChangePlan } from './schema-changes/schema-change-plan.js';
import type { Extent } from './schema-changes/schema-change-queue.js';
import { searchedAs } from './schemas.js';

/** What a change of a content type is made together with. */
export interface MadeTogether {
  /** The IDs that content types have after all changes, by slug. */
  types?: TypesBySlug;
  /** The locales that the tenant will have, for a plan. */
  locales?: LocaleSettings;
  /** Refuses what would hide or delete values of entries: 409. */
  keepsValues?: boolean;
}

/** Whether the change may have to read entries. The transaction checks this again after it has locked the type. */
export function extentOf(before: ContentType, { dto, errors }: CheckedBody<UpdateContentTypeDto>): Extent {
  const language = dto.language === undefined ? before.language : dto.language;
  if (before.locales || hasLocalized(dto.fields)) return 'entries';
  if (errors.length > 0 || (!dto.fields && language === before.language)) return 'type';
  const { fields, ...redefinition } = dto.fields
    ? readRenames(dto.fields, before)
    : { fields: before.fields, renames: new Map<string, string>() };
  return new SchemaChangePlan(before, { ...before, fields, language }, redefinition).concernsEntries
    ? 'entries'
    : 'type';
}

/**
 * The content type as the update leaves it, except for `retired`, and the plan of the change of its entries; undefined if neither its fields
 * nor its language are sent and its locales have not changed. `isHeld`: the locales of the tenant stay as they are until the transaction ends.
 * Throws a 422 that lists every wrong value.
 */
export async function redefine(
  executor: Executor,
  before: ContentType,
  { dto, errors: reported }: CheckedBody<UpdateContentTypeDto>,
  { together, isHeld = false }: { together: MadeTogether; isHeld?: boolean },
): Promise<{ after: ContentType; plan?: SchemaChangePlan }> {
  const { name, slug, fields: sent, public: isPublic, language, preview_url: previewUrl } = dto;
  const found = withAbsentTypes(reported, sent, before.fields, 'content');
  const after: ContentType = {
    ...before,
    name: name ?? before.name,
    slug: slug ?? before.slug,
    public: isPublic ?? before.public,
    language: language === undefined ? before.language : language,
    previewUrl: previewUrl === undefined ? before.previewUrl : previewUrl,
    revision: before.revision + 1,
    updatedAt: new Date(),
  };
  const isOther = (property: 'slug' | 'public' | 'language') => after[property] !== before[property];
  if (sent || isOther('slug') || isOther('public') || isOther('language')) after.version++;
  const isWellFormed = !found.some(({ path }) => path.startsWith('fields'));
  const redefined = sent && isWellFormed ? readRenames(sent, before) : undefined;
  const {
    fields,
    renames,
    errors: wrong,
  } = redefined ?? { fields: sent, renames: new Map<string, string>(), errors: [] };
  const { targets, errors } = await findTargets(executor, before.tenantId, fields, after, {
    earlier: new Earlier(before, redefined?.fields, renames),
    together: together.types,
  });
  const readOnly = changedReadOnly(dto, () => presentWholeContentType(before));
  errors.unshift(
    ...found,
    ...readOnly,
    ...wrong,
    ...wrongDefinition(after.previewUrl, fields ?? before.fields, before),
  );
  after.locales = await localesFor(executor, before.tenantId, fields ?? before.fields, together, isHeld);
  errors.push(...wrongRequiredIn(fields, after.locales));
  if (errors.length > 0) throw Problem.invalid(errors);
  const isRelocated = after.locales?.revision !== before.locales?.revision;
  if (isRelocated && after.version === before.version) after.version++;
  if (fields) {
    after.fields = fields;
    after.targets = targets;
    after.guarded = typesWithOnDelete(fields, targets).includes(after.id) || before.guarded;
  }
  if (!fields && !isOther('language') && !isRelocated) return { after };
  return { after, plan: new SchemaChangePlan(before, after, { renames }, await searchedAs(after)) };
}

/** The locales of entries of a type with these fields; null without a localized one. */
export async function localesFor(
  executor: Executor,
  tenantId: string,
  fields: unknown,
  { locales: planned }: MadeTogether,
  isHeld = false,
): Promise<LocaleSettings | null> {
  if (planned) return hasLocalized(fields) ? planned : null;
  return neededLocales(executor, tenantId, fields, isHeld);
}

/** Names that `where` reads as operators. */
const OPERATOR_NAMES = ['and', 'or', 'not'];

/** An error for each new field with the name of an operator. Fields from before these names were reserved keep working. */
function operatorNames(fields: unknown, before?: ContentType): ValueError[] {
  const old = new Set([...(before?.fields ?? []), ...(before?.retired ?? [])].map(({ name }) => name));
  const names = (Array.isArray(fields) ? (fields as unknown[]) : []).map((field) => {
    return (field as { name?: unknown } | null | undefined)?.name;
  });
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || !OPERATOR_NAMES.includes(name) || old.has(name)) return [];
    return { path: `fields.${index}.name`, code: 'reserved', message: `name must not be ${name}, which is reserved.` };
  });
}

/** What the fields and the `preview_url` of a content type cannot be together, beyond what the DTO checks. `before` is the type that has them now. */
export function wrongDefinition(previewUrl: string | null, fields: unknown, before?: ContentType): ValueError[] {
  return [...operatorNames(fields, before), ...wrongPreviewUrl(previewUrl, fields)];
}

/** The errors of a content type's `preview_url`, if it has one. Without a list of fields, the DTO has already reported that. */
function wrongPreviewUrl(previewUrl: string | null, fields: unknown): ValueError[] {
  return previewUrl === null || !Array.isArray(fields) ? [] : checkPreviewUrl(previewUrl, fields);
}
