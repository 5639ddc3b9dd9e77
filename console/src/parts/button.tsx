import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing that most people come for. `danger`: it cannot be undone. `quiet`: beside others. */
  look?: 'primary' | 'secondary' | 'danger' | 'quiet';
  isWide?: boolean;
  /** Work goes on: the button stays where it is, and does nothing meanwhile. */
  isBusy?: boolean;
}

export function Button({
  look = 'secondary',
  isWide,
  isBusy,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(styles.button, styles[look], isWide && styles.wide, isBusy && styles.busy, className)}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        // A disabled button would lose the focus.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
