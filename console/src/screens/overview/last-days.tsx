import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { EnteredTenant } from '../../api/sessions';
import { getUsageHistory, type UsageDay } from '../../api/usage';
import { countInWords } from '../../parts/numbers';
import { may, maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import styles from './last-days.module.css';
import { Part } from './part';

const DayChart = lazy(() => import('../../charts/chart-days'));

interface Series {
  readonly name: string;
  readonly of: (day: UsageDay) => number;
  readonly look?: 'quiet' | 'danger';
}

interface Chart {
  readonly title: string;
  readonly isFor: (tenant: EnteredTenant) => boolean;
  readonly series: readonly Series[];
}

/** Everybody who may read something may ask for all of these. Each is shown to those who work with it. */
const CHARTS: readonly Chart[] = [
  {
    title: 'Entries changed',
    isFor: (tenant) => maySome(tenant, 'content:read:published'),
    series: [{ name: 'Changes', of: ({ entries_changed: changed }) => changed }],
  },
  {
    title: 'Submissions',
    isFor: (tenant) => may(tenant, 'forms:read'),
    series: [
      { name: 'Accepted', of: ({ submissions }) => submissions },
      { name: 'Spam', of: ({ spam }) => spam, look: 'quiet' },
    ],
  },
  {
    title: 'Deliveries',
    isFor: (tenant) => may(tenant, 'webhooks:read'),
    series: [
      { name: 'Delivered', of: ({ deliveries, failed_deliveries: failed }) => deliveries - failed },
      { name: 'Failed', of: ({ failed_deliveries: failed }) => failed, look: 'danger' },
    ],
  },
];

export function hasCharts(tenant: EnteredTenant): boolean {
  return CHARTS.some(({ isFor }) => isFor(tenant));
}

export function LastDays() {
  const tenant = useTenant();
  const query = useQuery({
    queryKey: [tenant.id, 'usage', 'history'],
    queryFn: ({ signal }) => getUsageHistory(tenant.id, signal),
  });
  const charts = CHARTS.filter(({ isFor }) => isFor(tenant));
  return (
    <Part title="Last 30 days" query={query}>
      {(days) => (
        <div className={styles.charts}>
          {charts.map((chart) => (
            <OneChart key={chart.title} chart={chart} days={days} />
          ))}
        </div>
      )}
    </Part>
  );
}

function OneChart({ chart: { title, series }, days }: { chart: Chart; days: readonly UsageDay[] }) {
  const filled = series.map(({ of, ...rest }) => ({ ...rest, values: days.map(of) }));
  return (
    <div className={styles.chart}>
      <h3>{title}</h3>
      <ul className={styles.legend}>
        {filled.map(({ name, look, values }) => (
          <li key={name} className={look && styles[look]}>
            {name} {countInWords(values.reduce((sum, value) => sum + value, 0))}
          </li>
        ))}
      </ul>
      <Suspense fallback={<div className={styles.awaited} />}>
        <DayChart label={`${title} by day`} days={days.map(({ date }) => date)} series={filled} />
      </Suspense>
    </div>
  );
}
