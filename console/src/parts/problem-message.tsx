import { ApiProblem } from '../api/problem';
import { Button } from './button';
import styles from './problem-message.module.css';

/** Says what failed, aloud too, and offers to try again where that may help. */
export function ProblemMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className={styles.message}>
      <p>{sentenceOf(error)}</p>
      {error instanceof ApiProblem && error.status >= 500 && error.requestId && (
        <p className={styles.request}>
          Request <code>{error.requestId}</code>
        </p>
      )}
      {onRetry && mayPass(error) && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Whether the same request may be answered otherwise later: not if a right is missing, or the thing itself. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiProblem) || ![403, 404].includes(error.status);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}
