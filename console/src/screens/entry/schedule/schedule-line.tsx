import { useEffect, useRef } from 'react';
import type { Schedule } from '../../../api/entry-parts/schedule';
import { Moment } from '../../../parts/when';
import type { OfEntry } from '../use-address';
import { useEditor } from '../use-editor';
import styles from './schedule.module.css';
import { timesOf, useSchedule } from './use-schedule';

/** What will happen to the entry by itself, or why it did not. */
export function ScheduleLine({ type, entry }: OfEntry) {
  const { data: schedule } = useSchedule({ type, entry });
  useCarriedOut(schedule);
  if (!schedule) return null;
  if (schedule.state === 'failed') return <p className={styles.failed}>The schedule failed: {whyOf(schedule)}</p>;
  return (
    <p className={styles.line}>
      {timesOf(schedule).map(({ does, at }, index) => (
        <span key={does}>
          {index === 0 ? 'Will be' : ', and'} {does} on <Moment time={at} />
        </span>
      ))}
    </p>
  );
}

export function whyOf({ problem }: Schedule): string {
  return problem?.detail ?? 'It could not be carried out.';
}

/** Reads the entry again once a time was carried out, which the service says by leaving it out. */
function useCarriedOut(schedule: Schedule | null | undefined): void {
  const editor = useEditor();
  const next = schedule?.state === 'pending' ? timesOf(schedule)[0]?.at : undefined;
  const before = useRef(next);
  useEffect(() => {
    const isOver = before.current !== undefined && before.current !== next && Date.parse(before.current) <= Date.now();
    before.current = next;
    if (isOver) void editor.save().then(() => editor.refresh());
  }, [editor, next]);
}
