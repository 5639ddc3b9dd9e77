import { lazy, Suspense } from 'react';
import type { Schedule } from '../../../api/entry-parts/schedule';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import type { OfEntry } from '../use-address';
import { whyOf } from './schedule-line';
import styles from './schedule.module.css';
import { useSchedule } from './use-schedule';

/** What forms are made with is loaded when somebody sets a schedule. */
const ScheduleForm = lazy(() => import('./schedule-form'));

interface ScheduleDialogProps extends OfEntry {
  onClose: () => void;
}

/** When an entry is published and unpublished by itself. */
export default function ScheduleDialog({ type, entry, onClose }: ScheduleDialogProps) {
  const { data: schedule, error, isPending, refetch } = useSchedule({ type, entry });
  return (
    <Dialog title="Schedule" isOpen onClose={onClose}>
      {schedule?.state === 'failed' && <Failure schedule={schedule} />}
      {schedule === undefined ? (
        <>
          <ProblemMessage error={error} onRetry={() => void refetch()} />
          {isPending && <Loading />}
          <DialogButtons>
            <Button onClick={onClose}>Cancel</Button>
          </DialogButtons>
        </>
      ) : (
        <Suspense fallback={<Loading />}>
          <ScheduleForm type={type} entry={entry} schedule={schedule} onClose={onClose} />
        </Suspense>
      )}
    </Dialog>
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
