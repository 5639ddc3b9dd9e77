import { Button } from '../parts/button';
import { Dialog, DialogButtons } from '../parts/dialog';
import { type Column, MAX_WIDTH, MIN_WIDTH } from './column';
import styles from './columns-dialog.module.css';

type ColumnName = Pick<Column<never>, 'name' | 'label' | 'width'>;

interface ColumnsDialogProps {
  /** Those that can be left out. */
  columns: readonly ColumnName[];
  /** The names of those that are shown, in their order. */
  chosen: readonly string[];
  widths: Readonly<Record<string, number>>;
  /** Undefined: the columns that the list begins with. */
  onChoose: (names: readonly string[] | undefined) => void;
  onResize: (name: string, width: number) => void;
  onClose: () => void;
}

/** Which columns are shown, in which order, and how wide. Each change is seen in the list at once. */
export function ColumnsDialog({ columns, chosen, widths, onChoose, onResize, onClose }: ColumnsDialogProps) {
  const shown = chosen.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const others = columns.filter(({ name }) => !chosen.includes(name));
  const move = (name: string, by: -1 | 1) => {
    const from = chosen.indexOf(name);
    const next = chosen.filter((each) => each !== name);
    next.splice(from + by, 0, name);
    onChoose(next);
  };
  return (
    <Dialog title="Columns" isOpen onClose={onClose}>
      <p>The column with the title comes first. The slider changes how wide a column is.</p>
      <ul className={styles.columns}>
        {[...shown, ...others].map((column) => {
          const place = chosen.indexOf(column.name);
          return (
            <li key={column.name} className={styles.column}>
              <label className={styles.name}>
                <input
                  type="checkbox"
                  checked={place >= 0}
                  onChange={({ target }) =>
                    onChoose(target.checked ? [...chosen, column.name] : chosen.filter((each) => each !== column.name))
                  }
                />
                <span dir="auto">{column.label}</span>
              </label>
              {place >= 0 && (
                <>
                  <input
                    type="range"
                    className={styles.width}
                    aria-label={`Width of ${column.label}`}
                    min={MIN_WIDTH}
                    max={MAX_WIDTH}
                    value={widths[column.name] ?? column.width}
                    onChange={({ target }) => onResize(column.name, target.valueAsNumber)}
                  />
                  <MoveButton
                    name={`Move ${column.label} up`}
                    by={-1}
                    isOff={place === 0}
                    onMove={() => move(column.name, -1)}
                  />
                  <MoveButton
                    name={`Move ${column.label} down`}
                    by={1}
                    isOff={place === chosen.length - 1}
                    onMove={() => move(column.name, 1)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => onChoose(undefined)}>Reset</Button>
      </DialogButtons>
    </Dialog>
  );
}

interface MoveButtonProps {
  name: string;
  by: -1 | 1;
  /** There is nowhere to go. The button keeps the focus. */
  isOff: boolean;
  onMove: () => void;
}

function MoveButton({ name, by, isOff, onMove }: MoveButtonProps) {
  return (
    <button
      type="button"
      className={styles.move}
      aria-label={name}
      title={name}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onMove()}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={by < 0 ? 'M8 13V3M3.5 7.5 8 3l4.5 4.5' : 'M8 3v10M3.5 8.5 8 13l4.5-4.5'} />
      </svg>
    </button>
  );
}
