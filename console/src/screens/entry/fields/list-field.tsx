import { Button } from '../../../parts/button';
import { labelOf } from '../../content/fields';
import { useReadOnly } from '../use-read-only';
import { FieldGroup } from './field-group';
import type { FieldProps } from './field-frame';
import { Icon } from './icons';
import { ItemButtons } from './item-buttons';
import styles from './list.module.css';
import { SingleField } from './single-field';
import { useDrag } from './use-drag';
import { useList } from './use-list';

const MAX_ITEMS = 1_000;

/** A list of values, each with a control of its own. */
export function ListField({ definition, path }: FieldProps) {
  const isReadOnly = useReadOnly();
  const list = useList(path);
  const drag = useDrag(list.move);
  const label = labelOf(definition);
  return (
    <FieldGroup definition={definition} path={path}>
      {list.keys.length > 0 && (
        <ol className={styles.values}>
          {list.keys.map((key, index) => (
            <li key={key} {...drag.item(index)}>
              <div className={styles.value}>
                {!isReadOnly && (
                  <span {...drag.handle(index)} className={styles.handle}>
                    <Icon name="handle" />
                  </span>
                )}
                <SingleField definition={definition} path={`${path}.${index}`} label={`${label} ${index + 1}`} />
                {!isReadOnly && <ItemButtons list={list} index={index} />}
              </div>
            </li>
          ))}
        </ol>
      )}
      {list.keys.length === 0 && isReadOnly && <p className={styles.nothing}>None</p>}
      {!isReadOnly && list.keys.length < MAX_ITEMS && (
        <div>
          <Button data-add onClick={() => list.add(undefined)}>
            Add to {label}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}
