import { Button } from './button';
import { DialogButtons } from './dialog';

interface SubmitButtonsProps {
  /** What sending the form does, in its own words. */
  action: string;
  look?: 'primary' | 'danger';
  isBusy?: boolean;
  onCancel: () => void;
}

/** The end of a form in a dialog. */
export function SubmitButtons({ action, look = 'primary', isBusy, onCancel }: SubmitButtonsProps) {
  return (
    <DialogButtons>
      <Button type="submit" look={look} isBusy={isBusy}>
        {action}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </DialogButtons>
  );
}
