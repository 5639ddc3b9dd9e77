import { type DragEvent, useState } from 'react';
import { classNames } from '../../../parts/class-names';
import styles from './list.module.css';

/** Lets the items of a list be dragged by their handles. The buttons of the items do the same without a mouse. */
export function useDrag(move: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const end = () => {
    setDragged(undefined);
    setOver(undefined);
  };
  const handle = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent<HTMLElement>) => {
      event.stopPropagation();
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', '');
      const item = event.currentTarget.closest('li');
      if (item) event.dataTransfer.setDragImage(item, 16, 16);
      setDragged(index);
    },
    onDragEnd: end,
  });
  const item = (index: number) => ({
    className: classNames(
      styles.item,
      dragged === index && styles.dragged,
      dragged !== undefined && over === index && (index < dragged ? styles.before : index > dragged && styles.after),
    ),
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      if (dragged === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (dragged !== index) move(dragged, index);
      end();
    },
  });
  return { handle, item };
}
