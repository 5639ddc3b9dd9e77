import type { Executor } from '../../database/transaction.js';
import { statement } from '../../database/statements/statement.js';
import { isGuarded } from '../../fields/constraints/on-delete.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { placedDefinitions } from '../../fields/definitions/placed-definitions.js';
import { type Targets, targetsOf } from '../content-type.entity.js';
import type { SchemaChangeQueue } from '../schema-changes/schema-change-queue.js';

/** Fields with `on_delete` name content types that are not marked yet. Mark them, and try again. */
export class UnmarkedTypesError extends Error {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

/** Returns the IDs of the content types that fields with `on_delete` (`refuse` or `clear`) name. */
export function typesWithOnDelete(fields: readonly FieldDefinition[], targets: Targets): string[] {
  const guarded = placedDefinitions(fields).filter(({ definition }) => isGuarded(definition));
  return [...new Set(guarded.flatMap(({ key }) => targetsOf(targets, key)))];
}

const UNMARKED = statement<{ ids: readonly string[] }, { id: string }>()(
  'guarded.unmarked_types',
  'SELECT id FROM content_types WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[]) AND guarded IS NOT TRUE',
);

/** Waits for the deletions of entries in progress. */
const LOCK = statement<{ typeId: string }, object>()(
  'guarded.lock_type',
  'SELECT 1 FROM content_types WHERE tenant_id = :tenantId AND id = :typeId FOR UPDATE',
);

/** Later deletions notice the new version of the type, and then look for references. */
const MARK = statement<{ typeId: string }, never>()(
  'guarded.mark_type',
  'UPDATE content_types SET guarded = true, version = version + 1 WHERE tenant_id = :tenantId AND id = :typeId AND guarded IS NOT TRUE',
);

/** Returns those of the content types that are not marked. */
export async function unmarkedTypes(executor: Executor, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return (await executor.query(tenantId, UNMARKED, { ids })).map(({ id }) => id);
}

/**
 * Marks content types before fields with `on_delete` name them: when such a field exists, no deletion is in progress that does not look for its
 * references. Each type is marked in a short transaction of its own, because the change that adds the fields may take minutes.
 */
export async function markTypes(changes: SchemaChangeQueue, tenantId: string, ids: readonly string[]): Promise<void> {
  for (const typeId of ids) {
    await changes.run(tenantId, typeId, 'type', async (transaction) => {
      await transaction.query(tenantId, LOCK, { typeId });
      await transaction.query(tenantId, MARK, { typeId });
    });
  }
}
