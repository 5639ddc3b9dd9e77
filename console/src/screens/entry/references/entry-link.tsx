import { Link } from 'wouter';
import type { NamedEntry } from '../names/use-entry-names';
import styles from './entry-link.module.css';

interface EntryLinkProps {
  id: string;
  named: NamedEntry | undefined;
}

/** An entry by its title. One that cannot be seen is named by its ID. */
export function EntryLink({ id, named }: EntryLinkProps) {
  if (!named) return <code className={styles.id}>{id}</code>;
  return (
    <Link href={`/content/${named.type.slug}/${id}`} dir="auto">
      {named.title}
    </Link>
  );
}
