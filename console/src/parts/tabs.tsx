import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import styles from './tabs.module.css';

interface Tab {
  /** In the address. The first one is not. */
  readonly id: string;
  readonly name: ReactNode;
  readonly show: () => ReactNode;
}

interface TabsProps {
  /** What is divided into tabs. */
  label: string;
  tabs: readonly Tab[];
  /** The parameter of the address. Tabs inside a tab have one of their own. */
  parameter?: string;
  /** Parameters that are of all tabs. */
  kept?: readonly string[];
}

/** Parts of a page of which one is shown. The address says which (`?tab=events`), so that it can be linked and gone back to. */
export function Tabs({ label, tabs, parameter = 'tab', kept = [] }: TabsProps) {
  const [query, setQuery] = useSearchParams();
  const first = tabs[0]?.id ?? '';
  const open = tabs.find(({ id }) => id === query.get(parameter))?.id ?? first;
  return (
    <Base.Root
      value={open}
      onValueChange={(id: string) =>
        // What belongs to one tab, such as its search, is not carried over to another.
        setQuery((before) => withOnly(before, kept, id === first ? [] : [[parameter, id]]))
      }
    >
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Base.Tab key={id} value={id} className={styles.tab}>
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, show }) => (
        <Base.Panel key={id} value={id} className={styles.panel}>
          {show()}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** A query with those of its parameters that are named, and others. */
export function withOnly(
  query: URLSearchParams,
  names: readonly string[],
  others: readonly (readonly [string, string])[] = [],
): URLSearchParams {
  const own = [...query].filter(([name]) => names.includes(name));
  return new URLSearchParams([...own, ...others].map(([name, value]) => [name, value]));
}
