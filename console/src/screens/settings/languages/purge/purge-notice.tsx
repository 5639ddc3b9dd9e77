import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getLocalePurge, type LocalePurge } from '../../../../api/locale-purges';
import { ApiProblem } from '../../../../api/problem';
import { Button } from '../../../../parts/button';
import { Notice } from '../../../../parts/notice';
import { countedAs } from '../../../../parts/numbers';
import { ProblemMessage } from '../../../../parts/problem-message';
import { useTenant } from '../../../../shell/tenant';
import { Progress } from '../../../../work/progress';
import type { BegunPurge } from './use-purges';

/** Milliseconds between two questions whether it is done. */
const AGAIN = 1_000;

interface PurgeNoticeProps {
  purge: BegunPurge;
  onPutAway: () => void;
}

/** How far the deletion of a language's values is, and how many there were. */
export function PurgeNotice({ purge: { id, name }, onPutAway }: PurgeNoticeProps) {
  const tenant = useTenant();
  const { data, error, refetch } = useQuery({
    queryKey: [tenant.id, 'purge', id],
    queryFn: ({ signal }) => getLocalePurge(tenant.id, id, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'done' || state.error ? false : AGAIN),
  });
  const isForgotten = error instanceof ApiProblem && error.status === 404;
  useEffect(() => {
    if (isForgotten) onPutAway();
  }, [isForgotten, onPutAway]);
  const isDone = data?.state === 'done';
  return (
    <Notice label={`Values in ${name}`} actions={isDone && <Button onClick={onPutAway}>Close</Button>}>
      <div>
        {/* Said aloud once it is done, and not at every step. */}
        <div aria-live="polite">{isDone && <p>{resultOf(name, data)}</p>}</div>
        {!isDone && (
          <p>
            The values in <bdi>{name}</bdi> are being deleted. You may leave this page meanwhile.
          </p>
        )}
      </div>
      {!isDone && (
        <>
          <Progress label={`Delete the values in ${name}`} value={undefined} />
          {data && <p>Until now: {countsOf(data)}.</p>}
        </>
      )}
      {!isForgotten && <ProblemMessage error={error} onRetry={() => void refetch()} />}
    </Notice>
  );
}

function resultOf(name: string, purge: LocalePurge): string {
  const { entries, drafts, versions } = purge;
  if (entries + drafts + versions === 0) return `Nothing was stored in ${name}.`;
  return `The values in ${name} were deleted: in ${countsOf(purge)}.`;
}

function countsOf({ entries, drafts, versions }: LocalePurge): string {
  const counts = [countedAs(entries, 'entry', 'entries'), countedAs(drafts, 'draft'), countedAs(versions, 'version')];
  return `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
}
