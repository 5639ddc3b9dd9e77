import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, type CreatedKey, listKeys } from '../../../api/keys';
import { Button } from '../../../parts/button';
import { EmptyState } from '../../../parts/empty-state';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { useOpen } from '../../../shell/use-open';
import { keysKey } from '../keys';
import { SettingsPage } from '../settings-page';
import { CreatedKeyNotice } from './created-key-notice';
import { KeyTable } from './key-table';
import { NewKey } from './new-key';
import { RevokeKey } from './revoke-key';

export default function ApiKeys() {
  const tenant = useTenant();
  const [isCreating, setCreating] = useOpen('new');
  const [revoked, setRevoked] = useState<ApiKey>();
  const [created, setCreated] = useState<CreatedKey>();
  const keys = useQuery({ queryKey: keysKey(tenant.id), queryFn: ({ signal }) => listKeys(tenant.id, signal) });
  const create = may(tenant, 'keys:write') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <SettingsPage
      title="API keys"
      about={`Programs use a key to work in ${tenant.name}. A key may do what its rights say, and never more than whoever made it.`}
      actions={keys.data && keys.data.length > 0 && create}
    >
      <ProblemMessage error={keys.error} onRetry={() => void keys.refetch()} />
      {keys.isPending && <Loading />}
      {created && <CreatedKeyNotice created={created} onClose={() => setCreated(undefined)} />}
      {keys.data?.length === 0 && (
        <EmptyState title="There is no key that you may see" action={create}>
          A website needs one that reads what is published. A program that writes needs more.
        </EmptyState>
      )}
      {keys.data && keys.data.length > 0 && <KeyTable keys={keys.data} onRevoke={setRevoked} />}
      {isCreating && create && <NewKey onClose={() => setCreating(false)} onCreated={setCreated} />}
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </SettingsPage>
  );
}
