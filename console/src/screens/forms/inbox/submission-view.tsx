import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { FormDetail } from '../../../api/forms';
import { getSubmission, type Submission } from '../../../api/submissions';
import { Button } from '../../../parts/button';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { When } from '../../../parts/when';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';
import styles from './inbox.module.css';
import { Note } from './note';
import { SubmissionActions } from './submission-actions';
import { SubmissionMails } from './submission-mails';
import { titleOfSubmission } from './submission-title';
import { SubmissionValues } from './submission-values';
import { useSubmissionChange } from './use-submission-change';
import { neighbourOf } from './use-inbox-keys';

interface SubmissionViewProps {
  form: FormDetail;
  id: string;
  /** The list beside it, in which `j` and `k` go on. */
  submissions: readonly Submission[];
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** One submission, with everything that is known about it. Opening it marks it as read. */
export function SubmissionView({ form, id, submissions, onOpen, onClose }: SubmissionViewProps) {
  const tenant = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...submissionsKey(tenant.id, form.id), 'one', id],
    queryFn: ({ signal }) => getSubmission(tenant.id, { id, form_id: form.id }, signal),
    initialData: () => submissions.find((submission) => submission.id === id),
  });
  const { mutate: change } = useSubmissionChange(form.id);
  const isUnread = data?.state === 'new' && may(tenant, 'forms:write');
  useEffect(() => {
    if (isUnread) change({ id, body: { state: 'read' } });
  }, [isUnread, change, id]);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const [previous, next] = [neighbourOf(submissions, id, -1), neighbourOf(submissions, id, 1)];
  return (
    <article ref={panel} className={styles.view} aria-label="Submission" tabIndex={-1}>
      <div className={styles.steps}>
        <Button onClick={onClose}>Close</Button>
        <Button disabled={!previous} aria-keyshortcuts="k" onClick={() => previous && onOpen(previous.id)}>
          Previous
        </Button>
        <Button disabled={!next} aria-keyshortcuts="j" onClick={() => next && onOpen(next.id)}>
          Next
        </Button>
      </div>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <>
          <header className={styles.head}>
            <h2 dir="auto">{titleOfSubmission(form, data)}</h2>
            <p className={styles.about}>
              <When time={data.created_at} />
              {data.origin !== null && ` from ${data.origin}`}
              {data.locale !== null && `, in ${data.locale}`}
            </p>
            {data.verdict === 'spam' && <p>Taken for spam: {reasonsOf(data)}.</p>}
          </header>
          {may(tenant, 'forms:write') && (
            <SubmissionActions form={form} submission={data} onGone={() => (next ? onOpen(next.id) : onClose())} />
          )}
          <SubmissionValues form={form} submission={data} />
          <Note form={form} submission={data} />
          <SubmissionMails submission={data} />
        </>
      )}
    </article>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  honeypot: 'a field that people do not see was filled in',
  too_fast: 'it was filled in too fast',
  links: 'it has too many links',
  blocked_word: 'it has a blocked word',
  duplicate: 'the same was sent before',
  challenge: 'the challenge was not solved',
};

function reasonsOf({ reasons }: Submission): string {
  return reasons.length === 0 ? 'somebody marked it' : reasons.map((reason) => REASONS[reason] ?? reason).join(', ');
}
