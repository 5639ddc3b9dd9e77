import type { ReactNode } from 'react';

/** A column of a `DataTable`. */
export interface Column<Row> {
  /** Names it in what the browser keeps and in addresses. */
  readonly name: string;
  readonly label: string;
  /** Its width until somebody changes it, in rem. */
  readonly width: number;
  /** Numbers end where the column does. */
  readonly isNumber?: boolean;
  /** What the API sorts by. Without it, the column does not sort. */
  readonly sort?: string;
  readonly show: (row: Row) => ReactNode;
}

/** Which columns are shown, in their order, and the widths that were changed. */
export interface ColumnChoice {
  /** Undefined: those that the page chooses. */
  readonly names?: readonly string[];
  /** In rem, by the name of the column. */
  readonly widths: Readonly<Record<string, number>>;
}

export const MIN_WIDTH = 5;
export const MAX_WIDTH = 60;

export function clampWidth(width: number): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
}
