import { Button } from '../../../../parts/button';
import { Notice } from '../../../../parts/notice';
import type { RemovedLanguage } from './removed-language';

interface RemovedNoticeProps {
  language: RemovedLanguage;
  onPurge: () => void;
  onClose: () => void;
}

/** What becomes of the values of a language that was just removed. */
export function RemovedNotice({ language: { name }, onPurge, onClose }: RemovedNoticeProps) {
  return (
    <Notice
      label="Removed language"
      actions={
        <>
          <Button onClick={onPurge}>Delete its values for good</Button>
          <Button look="quiet" onClick={onClose}>
            Keep them
          </Button>
        </>
      }
    >
      <p>
        <bdi>{name}</bdi> was removed. Its values are kept out of sight, and are back when it is added again.
      </p>
    </Notice>
  );
}
