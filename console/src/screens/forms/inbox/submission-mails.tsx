import { useQuery } from '@tanstack/react-query';
import { listMails, type Submission, type SubmissionMail } from '../../../api/submissions';
import { Badge } from '../../../parts/badge';
import { ProblemMessage } from '../../../parts/problem-message';
import { Row, Rows } from '../../../parts/rows';
import { When } from '../../../parts/when';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';
import styles from './inbox.module.css';

/** Which emails were sent about it, and whether they arrived. */
export function SubmissionMails({ submission }: { submission: Submission }) {
  const tenant = useTenant();
  const { data, error, refetch } = useQuery({
    queryKey: [...submissionsKey(tenant.id, submission.form_id), 'mails', submission.id],
    queryFn: ({ signal }) => listMails(tenant.id, submission, signal),
  });
  return (
    <section className={styles.mails}>
      <h3>Emails</h3>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {data && (
        <Rows empty="No email was sent about it.">
          {data.map((mail) => (
            <Row key={mail.id} title={mail.recipient} actions={<State mail={mail} />}>
              {mail.kind === 'notify' ? 'Notification' : 'Answer to the visitor'}
              {mail.sent_at !== null && (
                <>
                  {' '}
                  · sent <When time={mail.sent_at} />
                </>
              )}
              {mail.last_error !== null && ` · ${mail.last_error}`}
            </Row>
          ))}
        </Rows>
      )}
    </section>
  );
}

const WORDS: Readonly<Record<SubmissionMail['state'], string>> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  canceled: 'Canceled',
  skipped: 'Not sent',
};

function State({ mail: { state } }: { mail: SubmissionMail }) {
  return <Badge look={state === 'failed' ? 'danger' : 'quiet'}>{WORDS[state]}</Badge>;
}
