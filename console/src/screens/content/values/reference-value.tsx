import { useContext } from 'react';
import { EntryFactsContext } from '../entry-facts';
import styles from './value-cell.module.css';

/** The title of an entry referred to. Until it is known, and if it cannot be seen, its ID. */
export function ReferenceValue({ id }: { id: string }) {
  const title = useContext(EntryFactsContext).titles.get(id);
  return title === undefined ? <span className={styles.missing}>{id}</span> : <bdi>{title}</bdi>;
}
