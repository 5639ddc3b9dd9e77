import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { getSchedule, type Schedule } from '../../../api/entry-parts/schedule';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { type OfEntry, useAddress } from '../use-address';

/** Milliseconds after a time until it is carried out, and after which one that is late is looked at again. */
const CARRIED_OUT_WITHIN = 6_000;
const AGAIN_AFTER = 15_000;
/** The longest wait that is worth a timer. */
const LONGEST = 3_600_000;

/** What is scheduled for the entry: null if nothing is. It is read again once a time has come. */
export function useSchedule({ type, entry }: OfEntry) {
  const address = useAddress({ type, entry });
  return useQuery({
    queryKey: scheduleKey(address.tenantId, entry.id),
    queryFn: ({ signal }) => getSchedule(address, signal),
    enabled: mayFor(useTenant(), 'content:read', type),
    refetchInterval: untilNext,
  });
}

/** Returns what shows a schedule that was set, or that there is none any more. */
export function useShowSchedule({ entry }: OfEntry): (schedule: Schedule | null) => void {
  const client = useQueryClient();
  const { id } = useTenant();
  return (schedule) => client.setQueryData(scheduleKey(id, entry.id), schedule);
}

/** The times in their order. */
export function timesOf({ publish_at: publish, unpublish_at: unpublish }: Schedule) {
  const times = [
    { does: 'published', at: publish },
    { does: 'unpublished', at: unpublish },
  ] as const;
  return times
    .flatMap(({ does, at }) => (at === undefined ? [] : [{ does, at }]))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function scheduleKey(tenantId: string, id: string): string[] {
  return [tenantId, 'schedule', id];
}

function untilNext({ state: { data } }: Query<Schedule | null>): number | false {
  const next = data?.state === 'pending' && timesOf(data)[0]?.at;
  if (!next) return false;
  const wait = Date.parse(next) + CARRIED_OUT_WITHIN - Date.now();
  return wait > 0 ? Math.min(wait, LONGEST) : AGAIN_AFTER;
}
