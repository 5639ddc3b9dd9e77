import { CLOSE, closenessOf } from '../../parts/closeness';
import { bytesInWords, countInWords } from '../../parts/numbers';
import styles from './usage-row.module.css';

interface UsageRowProps {
  name: string;
  used: number;
  /** Without one, there is no limit. */
  limit?: number;
  isBytes?: boolean;
}

export function UsageRow({ name, used, limit, isBytes = false }: UsageRowProps) {
  const words = (value: number) => (isBytes ? bytesInWords(value) : countInWords(value));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles.used}>{words(used)}</td>
      <td className={styles.limit}>{limit === undefined ? 'No limit' : <Share {...{ name, used, limit, words }} />}</td>
    </tr>
  );
}

interface ShareProps {
  name: string;
  used: number;
  limit: number;
  words: (value: number) => string;
}

function Share({ name, used, limit, words }: ShareProps) {
  const closeness = closenessOf(used, limit);
  return (
    <div className={styles.share}>
      <span>
        of {words(limit)}
        {closeness && `: ${closeness}`}
      </span>
      <meter aria-label={name} min={0} max={limit} high={limit * CLOSE} optimum={0} value={Math.min(used, limit)} />
    </div>
  );
}
