import { Button } from '../../parts/button';
import { Notice } from '../../parts/notice';
import { When } from '../../parts/when';
import type { Offer } from './model/editor-state';

/** Text that is not in the form, and can be put there again. */
export function OfferNotice({ offer: { why, at, restore, discard } }: { offer: Offer }) {
  return (
    <Notice
      label="Unsaved text"
      actions={
        <>
          <Button onClick={restore}>Restore</Button>
          <Button look="quiet" onClick={discard}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        {why === 'discarded' ? (
          'The draft was discarded. Until you leave this page you can have it back.'
        ) : (
          <>
            This browser kept changes that were not saved, from <When time={at} />.
          </>
        )}
      </p>
    </Notice>
  );
}
