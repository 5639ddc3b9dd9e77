/**
 * SQL for the values of an entry. While a large type is changed, an entry may hold its values twice: as they are before and after the change.
 * The second ones count from the version of the type that the change makes, unless the entry was written since they were prepared. Otherwise
 * this costs a comparison with null; the type is not read. `row` has the columns of `entries`; `type` is SQL for the ID of its type.
 */
export function liveFields<
  const Row extends string,
  const Type extends string,
  const Tenant extends string = ':tenantId',
>(row: Row, type: Type, tenant = ':tenantId' as Tenant) {
  return `CASE WHEN ${row}.prepared_from = ${row}.version AND ${row}.prepared IS NOT NULL AND ${row}.prepared_for <= (
      SELECT live.version FROM content_types live WHERE live.tenant_id = ${tenant} AND live.id = ${type}
    ) THEN ${row}.prepared ELSE ${row}.fields END` as const;
}

/** The same for a statement whose rows are used only if the type has the version. It does not read the type. `version` is a placeholder. */
export function fieldsOfVersion(row: string, version: string): string {
  return `CASE WHEN ${row}.prepared_from = ${row}.version AND ${row}.prepared IS NOT NULL AND ${row}.prepared_for <= ${version}
    THEN ${row}.prepared ELSE ${row}.fields END`;
}
