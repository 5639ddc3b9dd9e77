import { type ReactNode, useEffect } from 'react';
import { Buttons } from './buttons';
import { classNames } from './class-names';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence under the title. */
  about?: ReactNode;
  /** What can be done with the whole page. */
  actions?: ReactNode;
  /** Lists take all of the window. */
  isWide?: boolean;
  children: ReactNode;
}

/** What every screen begins with: its title, which the browser's tab shows too, and what can be done. */
export function Page({ title, about, actions, isWide, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classNames(styles.page, isWide && styles.wide)}>
      <header className={styles.header}>
        <div>
          <h1 dir="auto">{title}</h1>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <Buttons>{actions}</Buttons>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps extends Omit<PageProps, 'isWide' | 'children'> {
  children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, about, actions, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <header className={styles.header}>
        <div>
          <h2>{title}</h2>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <Buttons>{actions}</Buttons>}
      </header>
      {children}
    </section>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Trivet`;
  }, [title]);
}
