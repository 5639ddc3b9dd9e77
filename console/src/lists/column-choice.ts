import { useCallback } from 'react';
import { useOwnStorage } from '../session/own-storage';
import { type Column, type ColumnChoice, clampWidth } from './column';

/** The choice of columns that this browser keeps for the list of this name. */
export function useColumnChoice(list: string): {
  choice: ColumnChoice;
  choose: (names: readonly string[] | undefined) => void;
  resize: (name: string, width: number) => void;
} {
  const [choice, change] = useOwnStorage(`columns of ${list}`, readChoice);
  const choose = useCallback(
    (names: readonly string[] | undefined) => change({ widths: choice.widths, ...(names && { names }) }),
    [change, choice],
  );
  const resize = useCallback(
    (name: string, width: number) => change({ ...choice, widths: { ...choice.widths, [name]: clampWidth(width) } }),
    [change, choice],
  );
  return { choice, choose, resize };
}

/** The columns of these names. Names that the list does not have any more are passed over. */
export function columnsNamed<Row>(names: readonly string[], columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return [...new Set(names)].flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

function readChoice(stored: unknown): ColumnChoice {
  const { names, widths } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  return {
    ...(Array.isArray(names) && { names: names.filter((name) => typeof name === 'string') }),
    widths: Object.fromEntries(
      Object.entries(typeof widths === 'object' && widths !== null ? widths : {}).flatMap(([name, width]) =>
        typeof width === 'number' && Number.isFinite(width) ? [[name, clampWidth(width)]] : [],
      ),
    ),
  };
}
