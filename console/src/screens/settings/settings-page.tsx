import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Page } from '../../parts/page';
import { settingsFor } from '../../shell/sections';
import { useTenant } from '../../shell/tenant';
import { useShowCurrent } from '../../shell/use-show-current';
import styles from './settings-page.module.css';

interface SettingsPageProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the settings, with links to the others. */
export function SettingsPage({ children, ...page }: SettingsPageProps) {
  const [location] = useLocation();
  const links = useShowCurrent<HTMLUListElement>(location);
  return (
    <div className={styles.settings}>
      <nav aria-label="Settings">
        <ul ref={links} className={styles.links}>
          {settingsFor(useTenant()).map(({ name, path }) => (
            <li key={path}>
              <Link href={path} className={styles.link} aria-current={location === path ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Page {...page}>{children}</Page>
    </div>
  );
}
