import { Button } from '../button';

interface MoveButtonsProps {
  /** Not of the first one. */
  onUp?: () => void;
  /** Not of the last one. */
  onDown?: () => void;
}

/** Moves an item of a list that has an order. */
export function MoveButtons({ onUp, onDown }: MoveButtonsProps) {
  return (
    <>
      <Button look="quiet" aria-label="Move up" title="Move up" disabled={!onUp} onClick={onUp}>
        ↑
      </Button>
      <Button look="quiet" aria-label="Move down" title="Move down" disabled={!onDown} onClick={onDown}>
        ↓
      </Button>
    </>
  );
}
