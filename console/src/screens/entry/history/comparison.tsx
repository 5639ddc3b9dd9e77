import { useQuery } from '@tanstack/react-query';
import { compareVersions, type Version } from '../../../api/entry-parts/history';
import { ApiProblem } from '../../../api/problem';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Select } from '../../../parts/fields/select';
import { entriesKey } from '../../content/keys';
import { type OfEntry, useAddress } from '../use-address';
import { FieldChanges } from './show/field-changes';

interface ComparisonProps extends OfEntry {
  version: Version;
  /** What it can be compared with. */
  others: readonly Version[];
  from: number | undefined;
  onCompareWith: (from: number | undefined) => void;
}

/** What differs between two versions, the older one first. */
export function Comparison({ type, entry, version: { version }, others, from, onCompareWith }: ComparisonProps) {
  const address = useAddress({ type, entry });
  const [older, newer] = from === undefined ? [undefined, version] : [Math.min(from, version), Math.max(from, version)];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...entriesKey(address.tenantId, type.slug), 'comparison', entry.id, newer, older],
    queryFn: ({ signal }) => compareVersions(address, newer, older, signal),
    staleTime: Infinity,
  });
  const before = older ?? others[others.findIndex((each) => each.version === version) + 1]?.version;
  return (
    <>
      {others.length > 1 && (
        <Select
          label="Compare with"
          value={from ?? ''}
          onChange={({ target: { value } }) => onCompareWith(value === '' ? undefined : Number(value))}
        >
          <option value="">The version before</option>
          {others
            .filter((other) => other.version !== version)
            .map((other) => (
              <option key={other.version} value={other.version}>
                Version {other.version}
              </option>
            ))}
        </Select>
      )}
      {isGone(error) ? (
        <p>The version before is not kept any more.</p>
      ) : (
        <ProblemMessage error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <Loading />}
      {data && (
        <FieldChanges
          type={type}
          differences={data}
          sides={[before === undefined ? 'Before' : `Version ${before}`, `Version ${newer}`]}
        />
      )}
    </>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}
