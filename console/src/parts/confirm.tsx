import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog, DialogButtons } from './dialog';
import { ProblemMessage } from './problem-message';

interface ConfirmProps {
  title: string;
  /** What the confirming button does, in its own words. */
  action: string;
  /** `primary` for what can be undone. */
  look?: 'danger' | 'primary';
  /** There is nothing to confirm, as the text says. */
  isOff?: boolean;
  /** What may take a while, or fail. */
  onConfirm?: () => Promise<unknown>;
  /** Once it is done. */
  onDone: () => void;
  onClose: () => void;
  /** What follows from it. */
  children: ReactNode;
}

/** Asks before what has consequences. A failure stays in the dialog, where it can be tried again. */
export function Confirm({ title, action, look = 'danger', isOff, onConfirm, onDone, onClose, children }: ConfirmProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => onConfirm?.() ?? Promise.resolve(),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{children}</p>
      <ProblemMessage error={error} />
      <DialogButtons>
        <Button look={look} isBusy={isPending} disabled={isOff} onClick={() => mutate()}>
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
