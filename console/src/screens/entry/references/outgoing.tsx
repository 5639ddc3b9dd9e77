import { useMemo, useState } from 'react';
import { Button } from '../../../parts/button';
import { Row, Rows } from '../../../parts/rows';
import { referencesIn } from '../names/references-in';
import { useEntryNames } from '../names/use-entry-names';
import type { OfEntry } from '../use-address';
import { useEditor, useEditorState } from '../use-editor';
import { EntryLink } from './entry-link';

/** References that are shown at first, and added. */
const PAGE = 50;

/** The entries that this one refers to, as it would be published. */
export function Outgoing({ type, entry }: OfEntry) {
  const { draft } = useEditorState(useEditor());
  const values = draft?.fields ?? entry.fields;
  const [count, setCount] = useState(PAGE);
  const all = useMemo(() => referencesIn(type.fields, values), [type, values]);
  const shown = useMemo(() => all.slice(0, count), [all, count]);
  const { names, isComplete } = useEntryNames(shown);
  return (
    <>
      <Rows empty="This entry refers to no other one.">
        {shown.map(({ id, label }, index) => {
          const named = names.get(id);
          return (
            <Row key={index} title={<EntryLink id={id} named={named} />}>
              Field: <bdi>{label}</bdi>.{' '}
              {named && (
                <>
                  Type: <bdi>{named.type.name}</bdi>.
                </>
              )}
              {!named && isComplete && 'This entry is gone, or you may not see it.'}
            </Row>
          );
        })}
      </Rows>
      {all.length > count && <Button onClick={() => setCount(count + PAGE)}>Load more</Button>}
    </>
  );
}
