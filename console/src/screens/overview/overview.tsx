import { lazy, Suspense } from 'react';
import { Page } from '../../parts/page';
import { may, maySeeUsage, maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { Counts } from './counts';
import { MyDrafts, WaitingDrafts } from './drafts';
import { FailingWebhooks } from './failing-webhooks';
import { hasCharts, LastDays } from './last-days';
import { RecentChanges } from './recent-changes';
import { Scheduled } from './scheduled';
import { useUsage } from './use-usage';
import styles from './overview.module.css';

const Starts = lazy(async () => ({ default: (await import('./starts/starts')).Starts }));

/** What a tenant has, what happens in it, and what waits for the person. */
export default function Overview() {
  const tenant = useTenant();
  const readsDrafts = maySome(tenant, 'content:read');
  const seesUsage = maySeeUsage(tenant);
  const { data: usage, isFetchedAfterMount: isKnown } = useUsage();
  const mayBeEmpty = !usage || (usage.content_types === 0 && usage.forms === 0);
  const mayStart = seesUsage && mayBeEmpty && may(tenant, 'content:write');
  if (mayStart && usage && isKnown) {
    return (
      <Page title="Overview" about={`${tenant.name} is empty. Begin in one of three ways.`}>
        <Suspense>
          <Starts />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page title="Overview" about={`What happens in ${tenant.name}, and what waits for you.`}>
      {seesUsage && <Counts />}
      <div className={mayStart && !isKnown ? `${styles.grid} ${styles.undecided}` : styles.grid}>
        {readsDrafts && <WaitingDrafts />}
        {readsDrafts && maySome(tenant, 'content:draft') && <MyDrafts />}
        {readsDrafts && <Scheduled />}
        {may(tenant, 'webhooks:read') && <FailingWebhooks />}
        {seesUsage && hasCharts(tenant) && (
          <div className={styles.whole}>
            <LastDays />
          </div>
        )}
        {may(tenant, 'audit:read') && (
          <div className={styles.whole}>
            <RecentChanges />
          </div>
        )}
      </div>
    </Page>
  );
}
