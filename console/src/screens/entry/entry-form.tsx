import { useMemo, useState } from 'react';
import type { ContentType, FieldDefinition } from '../../api/content-types';
import { Fields } from './fields/field';
import { FormTabs } from './form-tabs';
import { nameIn } from './model/paths';
import { useLed } from './use-led';

/** Fields without a tab of their own, where others have one. */
const GENERAL = 'General';

/** The fields of an entry, in tabs if the content type says so. */
export function EntryForm({ type }: { type: ContentType }) {
  const groups = useMemo(() => groupsOf(type.fields), [type]);
  const led = useLed((path) => path !== '');
  const [seen, setSeen] = useState(led);
  const [open, setOpen] = useState(tabWith(groups, led?.path) ?? groups[0]?.name ?? GENERAL);
  if (led && led !== seen) {
    setSeen(led);
    const tab = tabWith(groups, led.path);
    if (tab !== undefined) setOpen(tab);
  }
  const [only] = groups;
  if (only && groups.length === 1) return <Fields definitions={only.fields} />;
  return <FormTabs groups={groups} open={open} onOpen={setOpen} />;
}

interface FieldTab {
  readonly name: string;
  readonly fields: readonly FieldDefinition[];
}

function tabWith(groups: readonly FieldTab[], path = ''): string | undefined {
  return groups.find(({ fields }) => fields.some(({ name }) => name === nameIn(path)))?.name;
}

function groupsOf(fields: readonly FieldDefinition[]): readonly FieldTab[] {
  const groups = new Map<string, FieldDefinition[]>();
  for (const field of fields) {
    const name = field.group?.trim() || GENERAL;
    groups.set(name, [...(groups.get(name) ?? []), field]);
  }
  return [...groups].map(([name, own]) => ({ name, fields: own }));
}
