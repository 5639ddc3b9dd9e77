const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const WEEK = 7 * 86_400;

const calendarDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A date of a calendar, which is the same in every zone. */
export function Day({ date }: { date: string }) {
  const midnight = new Date(date);
  return <time dateTime={date}>{Number.isNaN(midnight.getTime()) ? date : calendarDay.format(midnight)}</time>;
}

/** A time as people say it, with the exact one in the person's zone on hover. */
export function When({ time }: { time: string }) {
  const date = new Date(time);
  // The service reads more forms of times than browsers do.
  if (Number.isNaN(date.getTime())) return <time>{time}</time>;
  return (
    <time dateTime={time} title={exact.format(date)}>
      {wordsFor(date)}
    </time>
  );
}

/** A time that matters to the minute, in the person's zone. */
export function Moment({ time }: { time: string }) {
  const date = new Date(time);
  return (
    <time dateTime={time} title={exact.format(date)}>
      {minute.format(date)}
    </time>
  );
}

function wordsFor(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > WEEK) return day.format(date);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return unit && length ? relative.format(Math.round(seconds / length), unit) : 'just now';
}
