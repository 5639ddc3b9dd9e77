import { classNames } from '../parts/class-names';
import { countInWords } from '../parts/numbers';
import styles from './chart-days.module.css';

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** `quiet`: beside the point, such as spam. `danger`: somebody should look at it. */
  readonly look?: 'quiet' | 'danger';
}

interface DayChartProps {
  label: string;
  /** Days in UTC: `2026-01-31`. */
  days: readonly string[];
  /** The values of each day stand on top of each other, the first series below. */
  series: readonly Series[];
}

const HEIGHT = 100;
const BAR = 10;
const GAP = 2;

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Bars by day. Screen readers, and whoever opens it, get the numbers as a table. Loaded where it is used: it has a chunk of its own. */
export default function DayChart({ label, days, series }: DayChartProps) {
  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(0, ...totals);
  return (
    <figure className={styles.chart}>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${days.length * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map((date, index) => (
          <DayBar key={date} index={index} most={Math.max(1, most)} series={series} />
        ))}
      </svg>
      <figcaption className={styles.caption}>
        <span>{nameOf(days[0], shortDay)}</span>
        <span>{most === 0 ? 'nothing on any day' : `at most ${countInWords(most)} on a day`}</span>
        <span>{nameOf(days.at(-1), shortDay)}</span>
      </figcaption>
      <details className={styles.details}>
        <summary>Numbers</summary>
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${label}, as a table`}>
          <DayTable label={label} days={days} series={series} />
        </div>
      </details>
    </figure>
  );
}

function nameOf(date: string | undefined, format = day): string {
  return date === undefined ? '' : format.format(new Date(`${date}T00:00:00Z`));
}

function DayBar({ index, most, series }: { index: number; most: number; series: readonly Series[] }) {
  const heights = series.map(({ values }) => ((values[index] ?? 0) / most) * HEIGHT);
  return (
    <>
      {series.map(({ name, look }, at) => (
        <rect
          key={name}
          className={classNames(styles.bar, look && styles[look])}
          x={index * (BAR + GAP)}
          y={HEIGHT - heights.slice(0, at + 1).reduce((sum, height) => sum + height, 0)}
          width={BAR}
          height={heights[at]}
        />
      ))}
    </>
  );
}

function DayTable({ label, days, series }: DayChartProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((date, index) => (
          <tr key={date}>
            <th scope="row">{nameOf(date)}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{countInWords(values[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
