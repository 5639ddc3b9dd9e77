import type { FieldDefinition } from '../../../../api/content-types';
import type { Piece } from './pieces';

/** How two values of a field differ, as it is shown. */
export type Change =
  | { readonly kind: 'text'; readonly pieces: readonly Piece[]; readonly isCode?: boolean; readonly note?: string }
  /** One of these stands for the other: a number, a date, a reference, a file. */
  | {
      readonly kind: 'value';
      readonly definition: FieldDefinition;
      readonly before?: unknown;
      readonly after?: unknown;
    }
  | { readonly kind: 'fields'; readonly fields: readonly FieldChange[] }
  | { readonly kind: 'items'; readonly items: readonly ItemChange[] };

export interface FieldChange {
  readonly label: string;
  readonly change: Change;
}

export interface ItemChange {
  /** `Quote 3`, `4 blocks` */
  readonly name: string;
  /** `added`, `moved from place 2` */
  readonly fate: string;
  /** Of what is neither the same nor only moved. */
  readonly change?: Change;
}
