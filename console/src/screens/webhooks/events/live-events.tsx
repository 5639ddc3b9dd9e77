import { EmptyState } from '../../../parts/empty-state';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { EVERY_EVENT } from '../events-in-words';
import { EventItem } from './event-item';
import styles from './live-events.module.css';
import { useLiveEvents } from './use-live-events';

const ALL = [EVERY_EVENT];

/** What happens in the tenant, as it happens. */
export function LiveEvents({ types = ALL }: { types?: readonly string[] }) {
  const { events, isOpen, error } = useLiveEvents(useTenant().id, types);
  return (
    <>
      <ProblemMessage error={error} />
      {!isOpen && error === undefined && <Loading label="Connecting …" />}
      {isOpen && events.length === 0 && (
        <EmptyState title="Waiting for events">
          They appear here as they happen, while this page is open. Change an entry to see one.
        </EmptyState>
      )}
      {events.length > 0 && (
        <ul className={styles.list} aria-label="Events" aria-live="polite">
          {events.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </ul>
      )}
    </>
  );
}
