import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  /** The accessible name of the button. */
  name: string;
  /** What the button shows. It is not read aloud. */
  face: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Menu({ name, face, className, children }: MenuProps) {
  // Beside the button, and so in the same landmark of the page.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Base.Root>
      <Base.Trigger className={className} aria-label={name}>
        {face}
      </Base.Trigger>
      <span ref={setPlace} />
      <Base.Portal container={place}>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  isCurrent?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, isCurrent, children }: MenuItemProps) {
  return (
    <Base.Item className={styles.item} onClick={onSelect} aria-current={isCurrent ? 'true' : undefined}>
      {children}
    </Base.Item>
  );
}
