/**
 * SQL of a table of the fields of the tenant's content types `t` that meet `condition`, those of groups and blocks included, and of a localized field
 * one for each locale: the `type`, the `name` as it is stored (`sections.author`, `cover@de`), the `key` (`sections.hero.author`), the `definition`, and the `index_field` of the rows by
 * which its values are found. Values of a locale that is taken off are found by other rows (`!`).
 */
export const fieldsSql = <const Condition extends string>(condition: Condition) =>
  `(
      WITH RECURSIVE defined AS (
        SELECT t.id AS type, concat(d.value ->> 'name', l.ending) AS name, d.value ->> 'name' AS key,
          coalesce(t.index_names ->> concat(d.value ->> 'name', l.ending, l.mark), concat(d.value ->> 'name', l.ending, l.mark)) AS index_name,
          d.value AS definition, ${isList('d.value')} AS is_list
        FROM content_types t CROSS JOIN LATERAL json_array_elements(t.fields) AS d
        CROSS JOIN LATERAL (
          SELECT '' AS ending, '' AS mark
          UNION ALL
          SELECT concat('@', o.value ->> 'code'), m.mark
          FROM json_array_elements(t.locales -> 'locales') AS o CROSS JOIN (VALUES (''), ('!')) AS m (mark)
          WHERE d.value ->> 'localized' = 'true' AND o.value ->> 'code' <> t.locales ->> 'default'
        ) AS l
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
