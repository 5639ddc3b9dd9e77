import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adoptKey, type ApiKey } from '../../../api/keys';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { keysKey } from '../keys';

/** A key ends with whoever made it, unless somebody takes it over before. */
export function AdoptKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Take over</Button>
      {isOpen && (
        <Confirm
          title={`Take over the key ${name}?`}
          action="Take over key"
          look="primary"
          onConfirm={() => adoptKey(tenant.id, id)}
          onDone={() => {
            say(`The key ${name} is yours now.`);
            void client.invalidateQueries({ queryKey: keysKey(tenant.id) });
          }}
          onClose={() => setOpen(false)}
        >
          It goes on when its maker leaves {tenant.name}, and ends when you do. So do the keys that were made with it.
        </Confirm>
      )}
    </>
  );
}
