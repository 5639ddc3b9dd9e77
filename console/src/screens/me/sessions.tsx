import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, mySessions, type MySession } from '../../api/me';
import { Button } from '../../parts/button';
import { Loading } from '../../parts/loading';
import { Section } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { Row, Rows } from '../../parts/rows';
import { say } from '../../parts/status';
import { When } from '../../parts/when';

const KEY = ['me', 'sessions'];

export function Sessions() {
  const { data, error, isPending, refetch } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => mySessions(signal) });
  return (
    <Section title="Where you are signed in">
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <Rows>
          {data.map((session) => (
            <OneSession key={session.id} session={session} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function OneSession({ session }: { session: MySession }) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: () => {
      say(`You were signed out of ${session.browser}.`);
      void client.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <Row
      title={session.browser}
      actions={
        !session.current && (
          <Button isBusy={isPending} onClick={() => mutate()}>
            Sign out
          </Button>
        )
      }
    >
      {session.current ? 'This browser' : 'Last used '}
      {!session.current && <When time={session.last_seen_at} />} · Signed in <When time={session.created_at} />
      <ProblemMessage error={error} />
    </Row>
  );
}
