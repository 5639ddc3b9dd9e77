const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const WEEK = 7 * 86_400;

/** A time as people say it, with the exact one in the person's zone on hover. */
export function When({ time }: { time: string }) {
  const date = new Date(time);
  return (
    <time dateTime={time} title={exact.format(date)}>
      {wordsFor(date)}
    </time>
  );
}

function wordsFor(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > WEEK) return day.format(date);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return unit && length ? relative.format(Math.round(seconds / length), unit) : 'just now';
}
