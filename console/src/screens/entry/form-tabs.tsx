import { Tabs as Base } from '@base-ui/react/tabs';
import type { FieldDefinition } from '../../api/content-types';
import { Fields } from './fields/field';
import styles from './form-tabs.module.css';
import { useFaultCount } from './use-field';

interface FormTabsProps {
  groups: readonly { readonly name: string; readonly fields: readonly FieldDefinition[] }[];
  open: string;
  onOpen: (name: string) => void;
}

/** Parts of a form of which one is shown. The others keep what was typed there. */
export function FormTabs({ groups, open, onOpen }: FormTabsProps) {
  return (
    <Base.Root value={open} onValueChange={onOpen} className={styles.tabs}>
      <Base.List className={styles.list} aria-label="Fields">
        {groups.map(({ name, fields }) => (
          <Base.Tab key={name} value={name} className={styles.tab}>
            <bdi>{name}</bdi>
            <FaultCount fields={fields} />
          </Base.Tab>
        ))}
      </Base.List>
      {groups.map(({ name, fields }) => (
        <Base.Panel key={name} value={name}>
          <Fields definitions={fields} />
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** How many values on a tab are wrong. */
function FaultCount({ fields }: { fields: readonly FieldDefinition[] }) {
  const count = useFaultCount(fields);
  return count > 0 && <span className={styles.count}>{count}</span>;
}
