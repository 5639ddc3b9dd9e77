import { useQueryClient } from '@tanstack/react-query';
import { type ApiKey, revokeKey } from '../../../api/keys';
import { Confirm } from '../../../parts/confirm';
import { say } from '../../../parts/status';
import { When } from '../../../parts/when';
import { useTenant } from '../../../shell/tenant';
import { keysKey } from '../keys';

interface RevokeKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RevokeKey({ apiKey: { id, name, last_used_at: lastUsed }, onClose }: RevokeKeyProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  return (
    <Confirm
      title={`Revoke the key ${name}?`}
      action="Revoke key"
      onConfirm={() => revokeKey(tenant.id, id)}
      onDone={() => {
        say(`The key ${name} was revoked.`);
        void client.invalidateQueries({ queryKey: keysKey(tenant.id) });
      }}
      onClose={onClose}
    >
      {lastUsed === null ? (
        'It was never used. '
      ) : (
        <>
          It was last used <When time={lastUsed} />.{' '}
        </>
      )}
      Programs that use it are refused within a second, and so are the keys that were made with it. It cannot be undone.
    </Confirm>
  );
}
