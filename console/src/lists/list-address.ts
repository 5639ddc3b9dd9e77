import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/** What a list shows. The address of the page has it, so that it can be sent to somebody, and the browser goes back through it. */
export interface ListState {
  readonly search: string;
  /** A name of the API, with `-` before it for the opposite direction; empty for the order of the list. */
  readonly sort: string;
  /** Conditions in the JSON of the API; empty without any. */
  readonly where: string;
  /** Only what is not published, or not as it is. */
  readonly drafts: boolean;
  /** By their translation: `missing:de`. Empty: all. */
  readonly translation: string;
  /** The columns that a view shows; undefined for those of this browser. */
  readonly columns?: readonly string[];
}

interface ChangeOptions {
  /** The page before this one stays what the browser goes back to. */
  readonly replace?: boolean;
}

export type ChangeList = (change: Partial<ListState>, options?: ChangeOptions) => void;

/** Reads the state of the list from the address, and returns what changes it there. */
export function useListState(): [ListState, ChangeList] {
  const [parameters, setParameters] = useSearchParams();
  const address = parameters.toString();
  const state = useMemo(() => readListState(new URLSearchParams(address)), [address]);
  const change = useCallback<ChangeList>(
    (part, options) => setParameters((before) => addressOf({ ...readListState(before), ...part }), options),
    [setParameters],
  );
  return [state, change];
}

function readListState(parameters: URLSearchParams): ListState {
  const columns = parameters.get('columns');
  return {
    search: parameters.get('search') ?? '',
    sort: parameters.get('sort') ?? '',
    where: parameters.get('where') ?? '',
    drafts: parameters.get('drafts') === 'true',
    translation: parameters.get('translation') ?? '',
    ...(columns !== null && { columns: columns.split(',') }),
  };
}

/** The query of the address that shows this. */
export function addressOf({ search, sort, where, drafts, translation, columns }: ListState): URLSearchParams {
  return new URLSearchParams({
    ...(search !== '' && { search }),
    ...(sort !== '' && { sort }),
    ...(where !== '' && { where }),
    ...(drafts && { drafts: 'true' }),
    ...(translation !== '' && { translation }),
    ...(columns && { columns: columns.join(',') }),
  });
}
