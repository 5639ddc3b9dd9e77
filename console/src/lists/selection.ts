import { useCallback, useMemo, useState } from 'react';

/** The rows of a list that somebody chose. */
export interface Selection<Row extends { id: string }> {
  readonly rows: readonly Row[];
  has(id: string): boolean;
  toggle: (row: Row, isSelected: boolean) => void;
  add: (rows: readonly Row[]) => void;
  clear: () => void;
}

/** `list` names what the rows are chosen from. Those of another list are not chosen any more. */
export function useSelection<Row extends { id: string }>(list: string): Selection<Row> {
  const [state, setState] = useState<{ list: string; rows: ReadonlyMap<string, Row> }>({ list, rows: new Map() });
  if (state.list !== list) setState({ list, rows: new Map() });
  const change = useCallback(
    (edit: (rows: Map<string, Row>) => void) =>
      setState((before) => {
        const rows = new Map(before.rows);
        edit(rows);
        return { ...before, rows };
      }),
    [],
  );
  const toggle = useCallback(
    (row: Row, isSelected: boolean) => change((rows) => (isSelected ? rows.set(row.id, row) : rows.delete(row.id))),
    [change],
  );
  const add = useCallback(
    (added: readonly Row[]) => change((rows) => added.forEach((row) => rows.set(row.id, row))),
    [change],
  );
  const clear = useCallback(() => change((rows) => rows.clear()), [change]);
  return useMemo(
    () => ({ rows: [...state.rows.values()], has: (id) => state.rows.has(id), toggle, add, clear }),
    [state, toggle, add, clear],
  );
}
