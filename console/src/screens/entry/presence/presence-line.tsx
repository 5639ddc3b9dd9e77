import { Fragment } from 'react';
import type { OfEntry } from '../use-address';
import styles from './presence-line.module.css';
import { usePresence } from './use-presence';

/** Names that are shown. */
const SHOWN = 3;

/** Who else has the entry open, said aloud when it changes. */
export default function PresenceLine({ type, entry }: OfEntry) {
  const others = usePresence({ type, entry });
  return (
    <div role="status" aria-live="polite" className={styles.place}>
      {others.length > 0 && <Sentence names={others} />}
    </div>
  );
}

function Sentence({ names }: { names: readonly string[] }) {
  const shown = names.length > SHOWN ? names.slice(0, SHOWN - 1) : names;
  const left = names.length - shown.length;
  const parts = [...shown.map((name) => <bdi key={name}>{name}</bdi>), ...(left > 0 ? [`${left} others`] : [])];
  return (
    <p className={styles.line}>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && (index === parts.length - 1 ? ' and ' : ', ')}
          {part}
        </Fragment>
      ))}{' '}
      {parts.length === 1 ? 'has' : 'have'} this entry open, too.
    </p>
  );
}
