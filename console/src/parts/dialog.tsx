import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { classNames } from './class-names';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Escape, the backdrop or `Cancel` close it. Without it, the dialog stays until it is answered. */
  onClose?: () => void;
  /** For what is compared side by side, or chosen from many. */
  isWide?: boolean;
  children: ReactNode;
}

/** What a person came to fill in. */
const FIRST = 'input:not([readonly], [hidden])';

export function Dialog({ title, isOpen, onClose, isWide, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()} disablePointerDismissal={!onClose}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={classNames(styles.popup, isWide && styles.wide)}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIRST) ?? true}
        >
          <Base.Title className={styles.title}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog, the confirming one first in the markup and last to be seen. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
