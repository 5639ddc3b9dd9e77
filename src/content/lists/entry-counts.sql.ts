/** SQL for the sum over the counters of the list's content type, `$2`. */
export function counterOfType(columns: string): string {
  return `(SELECT coalesce(sum(${columns}), 0)::bigint FROM entry_counts WHERE tenant_id = $1 AND content_type_id = $2)`;
}
