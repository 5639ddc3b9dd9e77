import { lazy, Suspense } from 'react';
import type { Schedule } from '../../../api/entry-parts/schedule';
import { LanguageNames } from '../../../locales/language-names';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { useEntryLanguage } from '../language/entry-language';
import type { OfEntry } from '../use-address';
import { Times, whyOf } from './schedule-line';
import styles from './schedule.module.css';
import { maySchedule } from './scheduled-locales';
import { useSchedule } from './use-schedule';

/** What forms are made with is loaded when somebody sets a schedule. */
const ScheduleForm = lazy(() => import('./schedule-form'));

interface ScheduleDialogProps extends OfEntry {
  onClose: () => void;
}

/** When an entry, or some of its languages, are published and unpublished by themselves. */
export default function ScheduleDialog({ type, entry, onClose }: ScheduleDialogProps) {
  const tenant = useTenant();
  const { data: schedule, error, isPending, refetch } = useSchedule({ type, entry });
  const close = (
    <DialogButtons>
      <Button onClick={onClose}>{schedule ? 'Close' : 'Cancel'}</Button>
    </DialogButtons>
  );
  return (
    <Dialog title="Schedule" isOpen onClose={onClose}>
      {schedule?.state === 'failed' && <Failure schedule={schedule} />}
      {schedule === undefined ? (
        <>
          <ProblemMessage error={error} onRetry={() => void refetch()} />
          {isPending && <Loading />}
          {close}
        </>
      ) : schedule && !maySchedule(tenant, schedule) ? (
        <>
          <OfOthers schedule={schedule} own={tenant.locales ?? []} />
          {close}
        </>
      ) : (
        <Suspense fallback={<Loading />}>
          <ScheduleForm type={type} entry={entry} schedule={schedule} onClose={onClose} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** An entry has one schedule, which somebody may only replace whose languages it is for. */
function OfOthers({ schedule, own }: { schedule: Schedule; own: readonly string[] }) {
  const locales = useEntryLanguage()?.locales;
  const mine = locales?.locales.map(({ code }) => code).filter((code) => own.includes(code)) ?? [];
  return (
    <>
      {schedule.state === 'pending' && (
        <p>
          <Times schedule={schedule} locales={locales} />.
        </p>
      )}
      <p>
        You may change a schedule of <LanguageNames locales={locales} codes={mine} /> only. Ask somebody who may change{' '}
        {schedule.locales ? 'all languages of this one' : 'the whole entry'} to replace or remove it.
      </p>
    </>
  );
}

function Failure({ schedule }: { schedule: Schedule }) {
  const errors = schedule.problem?.errors ?? [];
  return (
    <div className={styles.problem}>
      <p>The last schedule failed, and nothing was changed. {whyOf(schedule)}</p>
      <ul>
        {errors.slice(0, SHOWN).map(({ message }, index) => (
          <li key={index} dir="auto">
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Invalid values that are listed. */
const SHOWN = 10;
