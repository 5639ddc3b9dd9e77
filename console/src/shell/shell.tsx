import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { Mark } from '../parts/card-page';
import { AccountMenu } from './account-menu';
import { PaletteButton } from './palette/palette-button';
import { isSamePage } from './same-page';
import { sectionsFor } from './sections';
import { TenantMenu } from './tenant-menu';
import { useTenant } from './tenant';
import { useShowCurrent } from './use-show-current';
import styles from './shell.module.css';

/** What stands around every page of a tenant: where one is, where one may go, and who one is. */
export function Shell({ children }: { children: ReactNode }) {
  const tenant = useTenant();
  const [location] = useLocation();
  const main = useMainFocus(location);
  const nav = useShowCurrent<HTMLElement>(location);
  const sections = sectionsFor(tenant);
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <header className={styles.bar}>
        <Mark />
        <TenantMenu />
        <PaletteButton />
        <AccountMenu />
      </header>
      {sections.length > 0 && (
        <nav ref={nav} className={styles.main} aria-label="Main">
          <ul>
            {sections.map(({ name, path }) => (
              <li key={path}>
                <Link
                  href={path === '/' ? '' : path}
                  className={styles.link}
                  aria-current={isBelow(location, path) ? 'page' : undefined}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main ref={main} id="main" tabIndex={-1} className={styles.page}>
        {children}
      </main>
    </div>
  );
}

function isBelow(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}

/** After a change of the page, reading and tabbing go on at its beginning. */
function useMainFocus(location: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    if (isSamePage()) return;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return main;
}
