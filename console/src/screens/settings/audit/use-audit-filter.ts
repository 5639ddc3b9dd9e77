import { useSearchParams } from 'wouter';
import type { AuditFilter } from '../../../api/audit';

const NAMES = ['action', 'actor', 'resource', 'from', 'to'] as const;

/** The filter of the address, so that a link shows the same list. */
export function useAuditFilter(): [AuditFilter, (filter: AuditFilter) => void] {
  const [query, setQuery] = useSearchParams();
  const filter: AuditFilter = Object.fromEntries(
    NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  const change = (next: AuditFilter) =>
    setQuery(
      NAMES.flatMap((name): [string, string][] => (next[name] ? [[name, next[name]]] : [])),
      { replace: true },
    );
  return [filter, change];
}
