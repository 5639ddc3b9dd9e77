import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listSchedules, type ListedSchedule } from '../../api/entry-parts/schedule';
import type { Locales } from '../../api/locales';
import { useLocales } from '../../locales/use-locales';
import { useTenant } from '../../shell/tenant';
import { useEntryNames } from '../entry/names/use-entry-names';
import { Times, whyOf } from '../entry/schedule/schedule-line';
import { Item, Items, Nothing, Part } from './part';
import styles from './overview.module.css';

/** Schedules that are shown. */
const SHOWN = 5;

/** What will be published or unpublished by itself, and what could not be. */
export function Scheduled() {
  const tenant = useTenant();
  const query = useQuery({
    queryKey: [tenant.id, 'schedules'],
    queryFn: async ({ signal }) => (await listSchedules(tenant.id, SHOWN, signal)).data,
  });
  return (
    <Part title="Scheduled next" query={query}>
      {(schedules) =>
        schedules.length === 0 ? (
          <Nothing href="/content" next="Open content">
            Nothing is scheduled. “Schedule” in an entry publishes it at a time.
          </Nothing>
        ) : (
          <Schedules schedules={schedules} />
        )
      }
    </Part>
  );
}

/** The times are there at once, and the titles when they are known. */
function Schedules({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const places = useMemo(
    () => schedules.map(({ entry_id: id, content_type_id: type }) => ({ id, types: [type] })),
    [schedules],
  );
  const { names, types } = useEntryNames(places);
  const locales = useLocales(schedules.some((schedule) => schedule.locales)).data?.data;
  return (
    <Items>
      {schedules.map((schedule) => {
        const type = types.find(({ id }) => id === schedule.content_type_id);
        return (
          <Item
            key={schedule.entry_id}
            href={`/content/${type?.slug ?? schedule.content_type_id}/${schedule.entry_id}`}
            title={names.get(schedule.entry_id)?.title ?? type?.name ?? schedule.entry_id}
            about={<Next schedule={schedule} locales={locales} />}
          />
        );
      })}
    </Items>
  );
}

function Next({ schedule, locales }: { schedule: ListedSchedule; locales: Locales | undefined }) {
  if (schedule.state === 'failed') return <span className={styles.failed}>Failed: {whyOf(schedule)}</span>;
  return <Times schedule={schedule} locales={locales} isNext />;
}
