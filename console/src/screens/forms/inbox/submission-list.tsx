import type { FormDetail } from '../../../api/forms';
import type { Submission } from '../../../api/submissions';
import { classNames } from '../../../parts/class-names';
import { When } from '../../../parts/when';
import styles from './inbox.module.css';
import { restOfSubmission, titleOfSubmission } from './submission-title';

interface SubmissionListProps {
  form: FormDetail;
  submissions: readonly Submission[];
  openId: string | undefined;
  onOpen: (id: string) => void;
}

/** What is unread is bold, and says so aloud. */
export function SubmissionList({ form, submissions, openId, onOpen }: SubmissionListProps) {
  return (
    <ul className={styles.rows} aria-label="Submissions">
      {submissions.map((submission) => {
        const { id, state, created_at: at, note, files } = submission;
        const isUnread = state === 'new';
        return (
          <li key={id}>
            <button
              type="button"
              className={classNames(styles.row, isUnread && styles.unread)}
              aria-current={id === openId ? 'true' : undefined}
              onClick={() => onOpen(id)}
            >
              <span className={styles.title} dir="auto">
                {isUnread && <span className={styles.aloud}>Unread: </span>}
                {titleOfSubmission(form, submission)}
              </span>
              <span className={styles.when}>
                <When time={at} />
              </span>
              <span className={styles.rest} dir="auto">
                {restOfSubmission(form, submission)}
              </span>
              {(files.length > 0 || note !== null) && (
                <span className={styles.facts}>
                  {[files.length > 0 && 'Files', note !== null && 'Note'].filter(Boolean).join(' · ')}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
