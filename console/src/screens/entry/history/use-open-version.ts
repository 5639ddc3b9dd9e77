import { useSearchParams } from 'wouter';
import { withOnly } from '../../../parts/tabs';

/** What is compared with what, as the address says it, so that it can be linked and gone back to. */
interface OpenVersion {
  /** The version that is open; `draft` for what is not published yet. */
  readonly open: string;
  /** What it is compared with. Without it, the version before. */
  readonly from: number | undefined;
  readonly toggle: (version: string) => void;
  readonly compareWith: (from: number | undefined) => void;
}

const NONE = 'none';

/** `first` is open until somebody chooses. */
export function useOpenVersion(first: string): OpenVersion {
  const [query, setQuery] = useSearchParams();
  const open = query.get('version') ?? first;
  const from = Number(query.get('from'));
  const change = (version: string, with_: number | undefined) =>
    setQuery((before) => {
      const from: [string, string][] = with_ === undefined ? [] : [['from', String(with_)]];
      return withOnly(before, ['locale'], [['tab', 'history'], ['version', version], ...from]);
    });
  return {
    open,
    from: Number.isSafeInteger(from) && from > 0 ? from : undefined,
    toggle: (version) => change(version === open ? NONE : version, undefined),
    compareWith: (other) => change(open, other),
  };
}
