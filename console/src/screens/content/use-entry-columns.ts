import { useCallback, useMemo } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { Column } from '../../lists/column';
import { columnsNamed, useColumnChoice } from '../../lists/column-choice';
import type { ChangeList, ListState } from '../../lists/list-address';
import { firstColumns, otherColumns, titleColumn } from './entry-columns';
import { type ListedField, listedFields } from './fields';

export interface EntryColumns {
  /** Those that can be left out. */
  readonly all: readonly Column<Entry>[];
  /** Those that are shown, the one with the title first. */
  readonly shown: readonly Column<Entry>[];
  /** The fields that are shown and refer to entries. */
  readonly references: readonly ListedField[];
  readonly widths: Readonly<Record<string, number>>;
  readonly choose: (names: readonly string[] | undefined) => void;
  readonly resize: (name: string, width: number) => void;
}

/** The columns of a view if the address has one, else those that this browser keeps for the type. */
export function useEntryColumns(type: ContentType, { columns }: ListState, onChange: ChangeList): EntryColumns {
  const { choice, choose: keep, resize } = useColumnChoice(type.id);
  const all = useMemo(() => otherColumns(type), [type]);
  const first = useMemo(() => firstColumns(type), [type]);
  const names = columns ?? choice.names ?? first;
  const shown = useMemo(() => [titleColumn(type), ...columnsNamed(names, all)], [type, names, all]);
  const references = useMemo(() => referencesAmong(type, shown), [type, shown]);
  const isView = columns !== undefined;
  const choose = useCallback(
    (chosen: readonly string[] | undefined) => {
      keep(chosen);
      if (isView) onChange({ columns: undefined }, { replace: true });
    },
    [keep, onChange, isView],
  );
  return { all, shown, references, widths: choice.widths, choose, resize };
}

function referencesAmong(type: ContentType, shown: readonly Column<Entry>[]): readonly ListedField[] {
  return listedFields(type).filter(
    ({ path, definition }) => definition.type === 'reference' && shown.some(({ name }) => name === path),
  );
}
