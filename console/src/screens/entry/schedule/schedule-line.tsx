import { Fragment, useEffect, useRef } from 'react';
import type { Schedule } from '../../../api/entry-parts/schedule';
import type { Locales } from '../../../api/locales';
import { LanguageNames } from '../../../locales/language-names';
import { Moment } from '../../../parts/when';
import { useEntryLanguage } from '../language/entry-language';
import type { OfEntry } from '../use-address';
import { useEditor } from '../use-editor';
import styles from './schedule.module.css';
import { timesOf, useSchedule } from './use-schedule';

/** What will happen to the entry by itself, or why it did not. */
export function ScheduleLine({ type, entry }: OfEntry) {
  const { data: schedule } = useSchedule({ type, entry });
  const locales = useEntryLanguage()?.locales;
  useCarriedOut(schedule);
  if (!schedule) return null;
  if (schedule.state === 'failed') {
    return (
      <p className={styles.failed}>
        The schedule
        {schedule.locales && (
          <>
            {' '}
            of <LanguageNames locales={locales} codes={schedule.locales} />
          </>
        )}{' '}
        failed: {whyOf(schedule)}
      </p>
    );
  }
  return (
    <p className={styles.line}>
      <Times schedule={schedule} locales={locales} />
    </p>
  );
}

interface TimesProps {
  schedule: Schedule;
  /** For the names of its languages. Undefined until they are known. */
  locales: Locales | undefined;
  /** Only the next of its times. */
  isNext?: boolean;
}

/** `Will be published on …, and unpublished on …`, or `German will be …`. */
export function Times({ schedule, locales, isNext }: TimesProps) {
  const times = timesOf(schedule);
  return (
    <>
      {schedule.locales ? (
        <>
          <LanguageNames locales={locales} codes={schedule.locales} /> will be
        </>
      ) : (
        'Will be'
      )}
      {(isNext ? times.slice(0, 1) : times).map(({ does, at }, index) => (
        <Fragment key={does}>
          {index > 0 && ', and'} {does} on <Moment time={at} />
        </Fragment>
      ))}
    </>
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
