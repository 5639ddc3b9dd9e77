import { useContext } from 'react';
import { Link } from 'wouter';
import type { ContentType, FieldDefinition } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import { EntryFactsContext } from './entry-facts';
import { titleOf } from './entry-title';
import { labelOf } from './fields';
import { Highlight, plainText } from './values/highlight';
import styles from './entry-name.module.css';

interface EntryNameProps {
  type: ContentType;
  /** The field that names entries of the type. */
  field: FieldDefinition | undefined;
  entry: Entry;
}

/** The link to an entry. Below it, where a search found something else than the title. */
export function EntryName({ type, field, entry }: EntryNameProps) {
  const { locale } = useContext(EntryFactsContext);
  const title = titleOf(field, entry);
  const language = locale === undefined ? '' : `?${new URLSearchParams({ locale })}`;
  const marked = field && entry.highlights?.[field.name]?.[0];
  const found = Object.entries(entry.highlights ?? {}).find(([name]) => name !== field?.name);
  return (
    <>
      <Link href={`/content/${type.slug}/${entry.id}${language}`} className={styles.name} dir="auto" title={title}>
        {marked !== undefined && plainText(marked) === title ? <Highlight fragment={marked} /> : title}
      </Link>
      {found && (
        <span className={styles.found} dir="auto">
          {fieldLabel(type, found[0])}: <Highlight fragment={found[1][0] ?? ''} />
        </span>
      )}
    </>
  );
}

function fieldLabel({ fields }: ContentType, name: string): string {
  const field = fields.find((each) => each.name === name);
  return field ? labelOf(field) : name;
}
