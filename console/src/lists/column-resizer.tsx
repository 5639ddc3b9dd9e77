import { type PointerEvent, useRef } from 'react';
import styles from './data-table.module.css';

interface ColumnResizerProps {
  /** Called with a width in rem. */
  onResize: (width: number) => void;
}

/** The edge of a column's header, to be dragged. With the keyboard, widths are changed under `Columns`. */
export function ColumnResizer({ onResize }: ColumnResizerProps) {
  const dragged = useRef<{ from: number; width: number }>(undefined);
  const onPointerMove = (event: PointerEvent) => {
    if (!dragged.current) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const direction = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const moved = (event.clientX - dragged.current.from) * direction;
    onResize(Math.round(((dragged.current.width + moved) / rem) * 4) / 4);
  };
  return (
    <span
      aria-hidden="true"
      className={styles.resizer}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = { from: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => (dragged.current = undefined)}
    />
  );
}
