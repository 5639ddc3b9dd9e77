import { useState } from 'react';
import type { FormDetail } from '../../../api/forms';
import type { SubmissionQuery } from '../../../api/submissions';
import { Button } from '../../../parts/button';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { ErasePerson } from './erase-person';
import { exportSubmissions } from './export-submissions';
import styles from './inbox.module.css';

/** What can be done with the list: its export follows the box and the search. */
export function InboxActions({ form, query }: { form: FormDetail; query: SubmissionQuery }) {
  const tenant = useTenant();
  const [isErasing, setErasing] = useState(false);
  return (
    <div className={styles.actions}>
      <Button onClick={() => exportSubmissions(tenant.id, form, query)}>Export</Button>
      {may(tenant, 'forms:write') && <Button onClick={() => setErasing(true)}>Erase a person</Button>}
      {isErasing && <ErasePerson form={form} onClose={() => setErasing(false)} />}
    </div>
  );
}
