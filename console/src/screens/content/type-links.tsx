import { Link } from 'wouter';
import type { ContentType } from '../../api/content-types';
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

function TypeLink({ type: { name, slug }, isCounted }: { type: ContentType; isCounted: boolean }) {
  const { data: count } = useEntryCount(slug, isCounted);
  return (
    <li className={styles.type}>
      <Link href={`/content/${slug}`} className={styles.link} dir="auto">
        {name}
      </Link>
      <span className={styles.count}>
        {count !== undefined && `${count.toLocaleString()} ${count === 1 ? 'entry' : 'entries'}`}
      </span>
    </li>
  );
}
