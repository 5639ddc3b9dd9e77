import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Delivery, redeliver } from '../../../api/deliveries';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { classNames } from '../../../parts/class-names';
import { countedAs } from '../../../parts/numbers';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { When } from '../../../parts/when';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { deliveriesKey } from '../keys';
import { AttemptDetails } from './attempt-details';
import styles from './deliveries.module.css';
import { STATES } from './states';

/** A delivery. Pressing it shows its attempts, and what was answered. */
export function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { status, event_type: type, created_at: at, next_attempt_at: next, attempts } = delivery;
  const again = useMutation({
    mutationFn: () => redeliver(tenant.id, delivery.webhook_id, delivery.id),
    onSuccess: () => say('The event is sent again.'),
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesKey(tenant.id, delivery.webhook_id) }),
  });
  const { words, look } = STATES[status];
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <strong>{type}</strong>
          <span className={styles.about}>
            <When time={at} /> · {countedAs(attempts.length, 'attempt')}
            {next !== null && (
              <>
                {' '}
                · next <When time={next} />
              </>
            )}
          </span>
        </button>
        <Badge look={look}>{words}</Badge>
        {may(tenant, 'webhooks:write') && attempts.length > 0 && (
          <Button isBusy={again.isPending} onClick={() => again.mutate()}>
            Redeliver
          </Button>
        )}
      </div>
      <div id={id} hidden={!isOpen} className={classNames(styles.attempts)}>
        <ProblemMessage error={again.error} />
        {isOpen && <AttemptDetails delivery={delivery} />}
      </div>
    </li>
  );
}
