import { Section } from '../../parts/page';
import { TwoColumns } from '../../parts/two-columns';
import { FieldList } from './fields/field-list';
import { EntryPreview } from './preview/entry-preview';
import { type DraftProps, TypeNames } from './type-names';

/** Names and fields, and beside them the form of an entry. */
export function DefinitionsTab({ draft, faults, onChange }: DraftProps & { faults: Readonly<Record<string, string>> }) {
  return (
    <TwoColumns
      first={
        <>
          <TypeNames draft={draft} faults={faults} onChange={onChange} />
          <FieldList fields={draft.fields} onChange={(fields) => onChange({ fields })} />
        </>
      }
      second={
        <Section title="The form of an entry">
          <EntryPreview fields={draft.fields} />
        </Section>
      }
    />
  );
}
