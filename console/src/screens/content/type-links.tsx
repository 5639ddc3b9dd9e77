import { Link } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { isLocalized } from '../../locales/use-locales';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { TranslationLine } from './translation-line';
import styles from './type-links.module.css';
import { useEntryCount } from './use-entries';

/** Types whose entries are counted: each takes a request. */
const COUNTED = 50;

export function TypeLinks({ types }: { types: readonly ContentType[] }) {
  return (
    <ul className={styles.types}>
      {types.map((type) => (
        <TypeLink key={type.id} type={type} isCounted={types.length <= COUNTED} />
      ))}
    </ul>
  );
}

function TypeLink({ type, isCounted }: { type: ContentType; isCounted: boolean }) {
  const { name, slug } = type;
  const seesDrafts = mayFor(useTenant(), 'content:read', type);
  const { data: count } = useEntryCount(slug, isCounted);
  return (
    <li className={styles.type}>
      <Link href={`/content/${slug}`} className={styles.link} dir="auto">
        {name}
      </Link>
      {isCounted && seesDrafts && isLocalized(type) && <TranslationLine type={type} />}
      <span className={styles.count}>
        {count !== undefined && `${count.toLocaleString()} ${count === 1 ? 'entry' : 'entries'}`}
      </span>
    </li>
  );
}
