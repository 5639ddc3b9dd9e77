import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/** What the page shows. The address has it, so that it can be sent to somebody, and the browser goes back through it. */
export interface MediaState {
  readonly search: string;
  /** One of `KINDS`; empty for all. */
  readonly kind: string;
  readonly isWithoutAlt: boolean;
  /** The ID of the file that is open; empty for none. */
  readonly file: string;
}

export type ChangeMedia = (change: Partial<MediaState>, options?: { readonly replace?: boolean }) => void;

export function useMediaState(): [MediaState, ChangeMedia] {
  const [parameters, setParameters] = useSearchParams();
  const address = parameters.toString();
  const state = useMemo(() => readState(new URLSearchParams(address)), [address]);
  const change = useCallback<ChangeMedia>(
    (part, options) => setParameters((before) => queryOf({ ...readState(before), ...part }), options),
    [setParameters],
  );
  return [state, change];
}

/** The address that shows this, below the tenant's. */
export function mediaAddressOf(state: MediaState): string {
  const query = queryOf(state).toString();
  return query === '' ? '/media' : `/media?${query}`;
}

function readState(parameters: URLSearchParams): MediaState {
  return {
    search: parameters.get('search') ?? '',
    kind: parameters.get('kind') ?? '',
    isWithoutAlt: parameters.get('without_alt') === 'true',
    file: parameters.get('file') ?? '',
  };
}

function queryOf({ search, kind, isWithoutAlt, file }: MediaState): URLSearchParams {
  return new URLSearchParams({
    ...(search !== '' && { search }),
    ...(kind !== '' && { kind }),
    ...(isWithoutAlt && { without_alt: 'true' }),
    ...(file !== '' && { file }),
  });
}
