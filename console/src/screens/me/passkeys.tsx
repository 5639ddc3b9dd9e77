import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, deletePasskey, myPasskeys, passkeyCreation, type Passkey } from '../../api/me';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Loading } from '../../parts/loading';
import { Section } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { Row, Rows } from '../../parts/rows';
import { say } from '../../parts/status';
import { When } from '../../parts/when';
import { makePasskey } from '../../session/passkeys';

const KEY = ['me', 'passkeys'];

export function Passkeys() {
  const client = useQueryClient();
  const [removed, setRemoved] = useState<Passkey>();
  const { data, error, isPending, refetch } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => myPasskeys(signal) });
  const add = useMutation({
    mutationFn: async () => addPasskey(await makePasskey(await passkeyCreation())),
    onSuccess: () => {
      say('The passkey was added. You were signed out everywhere else.');
      void client.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, your face or the PIN of a device, without a password."
      actions={
        <Button isBusy={add.isPending} onClick={() => add.mutate()}>
          Add passkey
        </Button>
      }
    >
      <ProblemMessage error={add.error} />
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <Rows empty="You have no passkeys.">
          {data.map((passkey) => (
            <Row
              key={passkey.id}
              title={passkey.name}
              actions={<Button onClick={() => setRemoved(passkey)}>Remove</Button>}
            >
              Added <When time={passkey.created_at} />
              {passkey.last_used_at !== null && (
                <>
                  , last used <When time={passkey.last_used_at} />
                </>
              )}
            </Row>
          ))}
        </Rows>
      )}
      {removed && (
        <Confirm
          title={`Remove ${removed.name}?`}
          action="Remove passkey"
          onConfirm={() => deletePasskey(removed.id)}
          onDone={() => {
            say('The passkey was removed.');
            void client.invalidateQueries({ queryKey: KEY });
          }}
          onClose={() => setRemoved(undefined)}
        >
          You cannot sign in with it any more. The device may still offer it: remove it there, too.
        </Confirm>
      )}
    </Section>
  );
}
