import { type ComponentProps, useState } from 'react';
import { Button } from '../button';
import { copyText } from './copy-text';

interface CopyButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  /** What the button says: `Copy key`. */
  label: string;
  /** What is copied. */
  text: string;
  /** What is said once it is copied. */
  done?: string;
}

/** Copies a text. A page that was not loaded over https may not; then the person is told to do it by hand. */
export function CopyButton({ label, text, done = 'Copied.', ...button }: CopyButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const copy = async () => {
    setBusy(true);
    await copyText(text, done);
    setBusy(false);
  };
  return (
    <Button {...button} isBusy={isBusy} onClick={() => void copy()}>
      {label}
    </Button>
  );
}
