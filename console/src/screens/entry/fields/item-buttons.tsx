import { useEffect, useRef } from 'react';
import { Button } from '../../../parts/button';
import { say } from '../../../parts/status';
import { Icon, type IconName } from './icons';
import styles from './list.module.css';
import type { ListModel } from './use-list';

interface ItemButtonsProps {
  list: ListModel;
  index: number;
  /** Where copies make sense. */
  canDuplicate?: boolean;
}

/** What can be done with an item of a list. */
export function ItemButtons({ list, index, canDuplicate }: ItemButtonsProps) {
  const place = useRef<HTMLDivElement>(null);
  const moved = useRef<'up' | 'down'>(undefined);
  const last = list.keys.length - 1;
  // The browser takes the focus from what is moved in the page.
  useEffect(() => {
    const way = moved.current;
    moved.current = undefined;
    if (!way) return;
    const buttons = place.current;
    const same = buttons?.querySelector<HTMLElement>(`[data-way="${way}"]:not(:disabled)`);
    (same ?? buttons?.querySelector<HTMLElement>('[data-way]:not(:disabled)'))?.focus();
  }, [index]);
  const move = (way: 'up' | 'down') => {
    const to = index + (way === 'up' ? -1 : 1);
    moved.current = way;
    list.move(index, to);
    say(`Moved to ${to + 1} of ${last + 1}.`);
  };
  const remove = () => {
    focusNeighbour(place.current);
    list.remove(index);
  };
  return (
    <div ref={place} className={styles.buttons}>
      <IconButton name="Move up" icon="up" way="up" isOff={index === 0} onClick={() => move('up')} />
      <IconButton name="Move down" icon="down" way="down" isOff={index === last} onClick={() => move('down')} />
      {canDuplicate && <IconButton name="Duplicate" icon="copy" onClick={() => list.duplicate(index)} />}
      <IconButton name="Remove" icon="remove" onClick={remove} />
    </div>
  );
}

interface IconButtonProps {
  name: string;
  icon: IconName;
  way?: 'up' | 'down';
  isOff?: boolean;
  onClick: () => void;
}

function IconButton({ name, icon, way, isOff, onClick }: IconButtonProps) {
  return (
    <Button
      look="quiet"
      className={styles.icon}
      aria-label={name}
      title={name}
      data-way={way}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} />
    </Button>
  );
}

/** The keyboard goes on beside what is removed: at the next item, the one before, or the button that adds. */
function focusNeighbour(buttons: HTMLElement | null): void {
  const item = buttons?.closest('li');
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
  const target = neighbour ?? item?.closest('[role="group"]');
  target?.querySelector<HTMLElement>('button:not(:disabled), input, textarea, select, [data-add]')?.focus();
}
