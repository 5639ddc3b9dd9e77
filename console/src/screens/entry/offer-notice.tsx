import { Button } from '../../parts/button';
import { When } from '../../parts/when';
import type { Offer } from './model/editor-state';
import styles from './offer-notice.module.css';

/** Text that is not in the form, and can be put there again. */
export function OfferNotice({ offer: { why, at, restore, discard } }: { offer: Offer }) {
  return (
    <div className={styles.notice} role="region" aria-label="Unsaved text">
      <p>
        {why === 'discarded' ? (
          'The draft was discarded. Until you leave this page you can have it back.'
        ) : (
          <>
            This browser kept changes that were not saved, from <When time={at} />.
          </>
        )}
      </p>
      <div className={styles.buttons}>
        <Button onClick={restore}>Restore</Button>
        <Button look="quiet" onClick={discard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
