import { useMutation } from '@tanstack/react-query';
import { takeReviewBack } from '../../../api/entry-parts/review';
import { Button } from '../../../parts/button';
import { Notice } from '../../../parts/notice';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { When } from '../../../parts/when';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { type OfEntry, useAddress } from '../use-address';
import { useEditor, useEditorState } from '../use-editor';
import styles from './review-notice.module.css';
import { useReadReview, useReview } from './use-review';

/** Who asked for a review of the entry, and what the reviewer should know. */
export function ReviewNotice({ type, entry }: OfEntry) {
  const { draft } = useEditorState(useEditor());
  const { data: review } = useReview({ type, entry }, draft !== undefined);
  const readReview = useReadReview({ type, entry });
  const address = useAddress({ type, entry });
  const mayTakeBack = mayFor(useTenant(), 'content:draft', type);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => takeReviewBack(address),
    onSuccess: () => {
      say('The review was taken back.');
      return readReview();
    },
  });
  if (!review) return null;
  return (
    <Notice
      label="Review"
      actions={
        mayTakeBack && (
          <Button isBusy={isPending} onClick={() => mutate()}>
            Take back
          </Button>
        )
      }
    >
      <p>
        <bdi className={styles.by}>{review.by ?? 'Somebody'}</bdi> asked for a review <When time={review.at} />.
      </p>
      {review.note !== undefined && (
        <p className={styles.note} dir="auto">
          {review.note}
        </p>
      )}
      <ProblemMessage error={error} />
    </Notice>
  );
}
