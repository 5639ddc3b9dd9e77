import type { Executor } from '../database/transaction.js';
import { statement } from '../database/statements/statement.js';
import type { ValueError } from '../errors/problem.js';
import { namedTypes, sentTypes } from '../fields/constraints/targets.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { type PlacedDefinition, placedDefinitions } from '../fields/definitions/placed-definitions.js';
import { keyBefore, type Renames } from '../fields/changes/renames.js';
import { Schema } from '../fields/schema.js';
import type { Caller } from '../http/caller.js';
import { formatId, parseId } from '../ids/type-id.js';
import { type ContentType, type Targets, targetsOf } from './content-type.entity.js';

/** Finds the types that reference fields name. */
const FIND_TARGETS = statement<{ ids: readonly string[]; slugs: readonly string[] }, { id: string; slug: string }>()(
  'content_types.targets',
  'SELECT id, slug FROM content_types WHERE tenant_id = :tenantId AND (id = ANY (:ids::uuid[]) OR slug = ANY (:slugs::text[]))',
);

const UNKNOWN_TYPE = 'There is no such content type.';

/** A content type that a reference field names, and where the request names it. `field` is the key of the field. */
interface NamedType {
  path: string;
  field: string;
  name: string;
  /** Whether the definition names it as its only content type. */
  isOnly: boolean;
  /** Known from before: the slug may have changed since, or the type may have been deleted. */
  id?: string;
}

/** UUIDs of content types by slug. */
export type TypesBySlug = ReadonlyMap<string, string>;

/**
 * Maps each reference field to the content types that it names by ID or slug, and returns an error for each unknown name. Supports
 * definitions with other errors, so that all errors are reported together. A slug in `together` has the ID that is given there, instead of that in the database.
 */
export async function findTargets(
  executor: Executor,
  tenantId: string,
  fields: unknown,
  own: { id: string; slug: string },
  { earlier, together }: { earlier?: Earlier; together?: TypesBySlug } = {},
): Promise<{ targets: Targets; errors: ValueError[] }> {
  const named = placedDefinitions(fields).flatMap((placed) => namedBy(placed, earlier, together));
  const unknown = named.filter(({ id }) => id === undefined);
  const known = unknown.length > 0 ? await findTypes(executor, tenantId, unknown, own) : new Map<string, string>();

  const targets: Record<string, string | string[]> = {};
  const errors: ValueError[] = [];
  for (const { path, field, name, isOnly, id = known.get(name) } of named) {
    if (id === undefined) errors.push({ path, code: 'reference', message: UNKNOWN_TYPE });
    else if (isOnly) targets[field] = id;
    else targets[field] = [...targetsOf(targets, field), id];
  }
  return { targets, errors };
}

/** Returns the content types that a definition of a request names. The definition may have errors. */
function namedBy(
  { definition, path, key: field }: PlacedDefinition,
  earlier?: Earlier,
  together?: TypesBySlug,
): NamedType[] {
  if (definition['type'] !== 'reference') return [];
  return sentTypes(definition, path).map((sent) => {
    return { ...sent, field, id: together?.get(sent.name) ?? earlier?.resolve(field, sent.name) };
  });
}

/** Finds the IDs of content types that fields named in the same way before. */
export class Earlier {
  private readonly definitions: ReadonlyMap<string, FieldDefinition>;
  private readonly targets: Targets;

  /** `fields` are the definitions after the update; without errors if there are renames. */
  constructor(
    before: ContentType,
    fields: readonly FieldDefinition[] | undefined,
    private readonly renames: Renames,
  ) {
    const placed = placedDefinitions(before.fields);
    this.definitions = new Map(placed.map(({ key, definition }) => [key, definition as object as FieldDefinition]));
    this.targets = before.targets;
    this.next = renames.size > 0 && fields ? Schema.compile(fields, 'content') : undefined;
  }

  private readonly next: Schema | undefined;

  resolve(field: string, name: string): string | undefined {
    const key = this.next ? keyBefore(field, this.next, this.renames) : field;
    const old = this.definitions.get(key);
    return old && targetsOf(this.targets, key)[namedTypes(old).indexOf(name)];
  }
}

/** Finds content types by ID and slug. A type may refer to itself. If another type already has its slug, the slug means the other type. */
async function findTypes(
  executor: Executor,
  tenantId: string,
  named: readonly NamedType[],
  own: { id: string; slug: string },
): Promise<Map<string, string>> {
  const ids = named.flatMap(({ name }) => parseId('ct', name) ?? []);
  const types = await executor.query(tenantId, FIND_TARGETS, { ids, slugs: named.map(({ name }) => name) });
  return new Map([own, ...types].flatMap(({ id, slug }) => [[slug, id] as const, [formatId('ct', id), id] as const]));
}

/**
 * Returns the errors of reference fields of an update that name content types which the caller does not see. They are the same as for
 * content types that do not exist.
 */
export async function hiddenTargets(
  executor: Executor,
  { tenantId, types, visibleTypes }: Caller,
  before: ContentType,
  fields: unknown,
): Promise<ValueError[]> {
  if (!types || fields === undefined) return [];
  const named = placedDefinitions(fields).flatMap((placed) => namedBy(placed));
  const known = await findTypes(executor, tenantId, named, before);
  const seen = new Set([...types, ...Object.keys(before.targets).flatMap((key) => targetsOf(before.targets, key))]);
  return named.flatMap(({ path, name }) => {
    const id = known.get(name);
    const isHidden = id !== undefined && !seen.has(id) && visibleTypes?.has(id) === false;
    return isHidden ? [{ path, code: 'reference', message: UNKNOWN_TYPE }] : [];
  });
}
