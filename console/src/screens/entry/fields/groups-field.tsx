import { useMemo } from 'react';
import { Button } from '../../../parts/button';
import { labelOf } from '../../content/fields';
import { useReadOnly } from '../use-read-only';
import { Cards } from './cards';
import type { FieldProps } from './field-frame';
import { FieldGroup } from './field-group';
import { useList } from './use-list';

const MAX_ITEMS = 1_000;

/** A list of groups. */
export function GroupsField({ definition, path }: FieldProps) {
  const isReadOnly = useReadOnly();
  const list = useList(path);
  const label = labelOf(definition);
  const kindOf = useMemo(() => {
    const kind = { label, fields: definition.fields ?? [] };
    return () => kind;
  }, [definition, label]);
  return (
    <FieldGroup definition={definition} path={path}>
      <Cards list={list} path={path} kindOf={kindOf} />
      {!isReadOnly && list.keys.length < MAX_ITEMS && (
        <div>
          <Button data-add onClick={() => list.add({})}>
            Add to {label}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}
