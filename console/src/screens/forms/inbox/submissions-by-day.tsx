import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { FormDetail } from '../../../api/forms';
import { submissionDays } from '../../../api/submissions';
import { Section } from '../../../parts/page';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';

const DayChart = lazy(() => import('../../../charts/chart-days'));

export function SubmissionsByDay({ form }: { form: FormDetail }) {
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: [...submissionsKey(tenant.id, form.id), 'days'],
    queryFn: ({ signal }) => submissionDays(tenant.id, form.id, signal),
  });
  if (!data?.some(({ ok, spam }) => ok + spam > 0)) return null;
  return (
    <Section title="Submissions of the last 30 days">
      <Suspense>
        <DayChart
          label="Submissions by day"
          series={[
            { name: 'Submissions', values: data.map(({ ok }) => ok) },
            { name: 'Spam', values: data.map(({ spam }) => spam), look: 'quiet' },
          ]}
          days={data.map(({ date }) => date)}
        />
      </Suspense>
    </Section>
  );
}
