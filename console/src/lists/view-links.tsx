import { Link, useLocation, useSearch } from 'wouter';
import type { SavedView } from './saved-views';
import styles from './view-links.module.css';

/** The views that were saved, as links. Without any, nothing. */
export function ViewLinks({ views }: { views: readonly SavedView[] }) {
  const [location] = useLocation();
  const search = useSearch();
  if (views.length === 0) return null;
  const all = { name: 'All entries', query: '' };
  return (
    <nav aria-label="Views">
      <ul className={styles.views}>
        {[all, ...views].map(({ name, query }) => (
          <li key={name}>
            <Link
              href={query === '' ? location : `${location}?${query}`}
              className={styles.link}
              aria-current={new URLSearchParams(search).toString() === query ? 'page' : undefined}
            >
              <span dir="auto">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
