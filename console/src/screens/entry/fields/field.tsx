import { memo } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import { useEntryLanguage } from '../language/entry-language';
import { BlocksField } from './blocks-field';
import { MultipleSelect } from './choice-controls';
import type { FieldProps } from './field-frame';
import { FieldGroup } from './field-group';
import styles from './fields.module.css';
import { GroupsField } from './groups-field';
import { ListField } from './list-field';
import { ReferencesControl } from './reference-control';
import { SingleField } from './single-field';

/** A field of any type. It is drawn again only when its own value changes. */
export const Field = memo(function Field({ definition, path }: FieldProps) {
  const { type, multiple } = definition;
  if (type === 'blocks') return <BlocksField definition={definition} path={path} />;
  if (type === 'group' && multiple) return <GroupsField definition={definition} path={path} />;
  if (type === 'group') {
    return (
      <FieldGroup definition={definition} path={path} isFramed>
        <Fields definitions={definition.fields ?? []} path={path} />
      </FieldGroup>
    );
  }
  if (type === 'select' && multiple) return <MultipleSelect definition={definition} path={path} />;
  if (type === 'reference' && multiple) return <ReferencesControl definition={definition} path={path} />;
  if (multiple) return <ListField definition={definition} path={path} />;
  return <SingleField definition={definition} path={path} />;
});

interface FieldsProps {
  definitions: readonly FieldDefinition[];
  /** The path of what holds the fields. */
  path?: string;
}

export function Fields({ definitions, path }: FieldsProps) {
  // A group and its fields are of one language.
  const InLanguage = useEntryLanguage()?.parts.Field;
  return (
    <div className={styles.fields}>
      {definitions.map((definition) => {
        const { name } = definition;
        if (path !== undefined) return <Field key={name} definition={definition} path={`${path}.${name}`} />;
        const field = <Field key={name} definition={definition} path={name} />;
        return InLanguage ? (
          <InLanguage key={name} definition={definition}>
            {field}
          </InLanguage>
        ) : (
          field
        );
      })}
    </div>
  );
}
