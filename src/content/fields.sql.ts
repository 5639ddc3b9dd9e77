/**
 * SQL of a table of the fields of the tenant's content types `t` that meet `condition`, those of groups and blocks included: the `type`, the
 * `name` as clients write it (`sections.author`), the `key` (`sections.hero.author`), the `definition`, and the `index_field` of the rows by
 * which its values are found.
 */
export const fieldsSql = <const Condition extends string>(condition: Condition) =>
  `(
      WITH RECURSIVE defined AS (
        SELECT t.id AS type, d.value ->> 'name' AS name, d.value ->> 'name' AS key,
          coalesce(t.index_names ->> (d.value ->> 'name'), d.value ->> 'name') AS index_name, d.value AS definition, ${isList('d.value')} AS is_list
        FROM content_types t CROSS JOIN LATERAL json_array_elements(t.fields) AS d
        WHERE t.tenant_id = :tenantId AND ${condition}
        UNION ALL
        SELECT o.type, concat_ws('.', o.name, i.definition ->> 'name'), concat_ws('.', o.key, i.block, i.definition ->> 'name'),
          concat_ws('.', o.index_name, i.definition ->> 'name'),
          i.definition, o.is_list OR ${isList('i.definition')}
        FROM defined o CROSS JOIN LATERAL (
          SELECT NULL AS block, d.value AS definition FROM json_array_elements(o.definition -> 'fields') AS d
          UNION ALL
          SELECT b.value ->> 'name', d.value
          FROM json_array_elements(o.definition -> 'blocks') AS b CROSS JOIN LATERAL json_array_elements(b.value -> 'fields') AS d
        ) i
      )
      SELECT type, name, key, definition, concat(index_name, CASE WHEN is_list THEN '[]' END) AS index_field FROM defined
    )` as const;

function isList<const Definition extends string>(definition: Definition) {
  return `(coalesce(${definition} ->> 'multiple' = 'true', false) OR ${definition} ->> 'type' = 'blocks')` as const;
}
