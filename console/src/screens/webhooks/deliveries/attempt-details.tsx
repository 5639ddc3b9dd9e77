import type { Attempt, Delivery } from '../../../api/deliveries';
import { countInWords } from '../../../parts/numbers';
import { When } from '../../../parts/when';
import styles from './deliveries.module.css';

export function AttemptDetails({ delivery: { attempts, event_id: eventId } }: { delivery: Delivery }) {
  return (
    <>
      <p className={styles.about}>
        Event <code>{eventId}</code>
      </p>
      {attempts.length === 0 && <p>Nothing was tried yet.</p>}
      {attempts.map((attempt) => (
        <OneAttempt key={attempt.attempted_at} attempt={attempt} />
      ))}
    </>
  );
}

function OneAttempt({ attempt: { attempted_at: at, duration_ms: ms, status, error, response } }: { attempt: Attempt }) {
  return (
    <div className={styles.attempt}>
      <span>
        {status === null ? 'No answer' : `Status ${status}`} after {countInWords(ms)} ms, <When time={at} />
      </span>
      {error !== null && <span>{error}</span>}
      {response !== '' && (
        <pre className={styles.answer} tabIndex={0} aria-label="Answer" dir="auto">
          {response}
        </pre>
      )}
    </div>
  );
}
