import { type ReactNode, useId } from 'react';
import styles from './versions.module.css';

interface VersionFrameProps {
  name: string;
  badge?: ReactNode;
  about: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  action?: ReactNode;
  /** What is shown when it is open. */
  children: ReactNode;
}

/** A state of the entry that can be opened. */
export function VersionFrame({ name, badge, about, isOpen, onToggle, action, children }: VersionFrameProps) {
  const id = useId();
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <div className={styles.text}>
          <h2 className={styles.name}>
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={onToggle}
            >
              {name}
            </button>
            {badge}
          </h2>
          <p className={styles.about}>{about}</p>
        </div>
        {action}
      </div>
      {isOpen && (
        <div id={id} className={styles.content}>
          {children}
        </div>
      )}
    </li>
  );
}
