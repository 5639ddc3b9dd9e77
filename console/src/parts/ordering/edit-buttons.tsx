import { Button } from '../button';
import { MoveButtons } from './move-buttons';

interface EditButtonsProps {
  /** What they are about. */
  name: string;
  onEdit: () => void;
  /** Undefined: it has to stay. */
  onRemove?: () => void;
  /** Undefined: it is the first one. */
  onUp?: () => void;
  /** Undefined: it is the last one. */
  onDown?: () => void;
}

/** What can be done with one item of a list that people put together. */
export function EditButtons({ name, onEdit, onRemove, onUp, onDown }: EditButtonsProps) {
  return (
    <>
      <MoveButtons onUp={onUp} onDown={onDown} />
      <Button aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button aria-label={`Remove ${name}`} disabled={!onRemove} onClick={onRemove}>
        Remove
      </Button>
    </>
  );
}
