import { TextField } from '../../parts/fields/text-field';
import type { TypeDraft } from './model/draft';

export interface DraftProps {
  draft: TypeDraft;
  onChange: (part: Partial<TypeDraft>) => void;
}

/** What the type is called. `faults` are beside the fields they name. */
export function TypeNames({ draft, faults, onChange }: DraftProps & { faults: Readonly<Record<string, string>> }) {
  return (
    <>
      <TextField
        label="Name"
        help="What people call it: Article."
        autoComplete="off"
        maxLength={255}
        value={draft.name}
        error={faults['name']}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Slug"
        help="What addresses and programs call it. Without one, it is made from the name."
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={draft.slug}
        error={faults['slug']}
        onChange={({ target }) => onChange({ slug: target.value })}
      />
    </>
  );
}
