import { useState } from 'react';
import { Button } from '../../../../parts/button';
import type { ItemChange } from '../compare/change';
import { ShownChange } from './changed-fields';
import styles from './changes.module.css';

interface ChangedItemsProps {
  items: readonly ItemChange[];
  level: number;
}

/** Items that are shown at first, and added. */
const PAGE = 50;

/** What became of the items of a list, in the order of now. */
export function ChangedItems({ items, level }: ChangedItemsProps) {
  const [count, setCount] = useState(PAGE);
  return (
    <div className={styles.inner}>
      {items.slice(0, count).map(({ name, fate, change }, index) => (
        <div key={index} className={styles.item}>
          <p className={styles.fate}>
            <bdi>{name}</bdi> {fate}
          </p>
          {change && <ShownChange change={change} level={level} />}
        </div>
      ))}
      {items.length > count && <Button onClick={() => setCount(count + PAGE)}>Show more</Button>}
    </div>
  );
}
