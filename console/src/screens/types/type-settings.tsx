import { Checkbox } from '../../parts/fields/checkbox';
import { Section } from '../../parts/page';
import { Select } from '../../parts/fields/select';
import { TextField } from '../../parts/fields/text-field';
import { LANGUAGES } from './languages';
import type { DraftProps } from './type-names';

export function TypeSettings({ draft, onChange }: DraftProps) {
  return (
    <Section title="Settings">
      <Checkbox
        label="Public"
        help="Everybody can read what is published, without a key."
        checked={draft.isPublic}
        onChange={({ target }) => onChange({ isPublic: target.checked })}
      />
      <Select
        label="Language"
        help="A search then finds other forms of a word, too."
        value={draft.language}
        onChange={({ target }) => onChange({ language: target.value })}
      >
        <option value="">None</option>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <TextField
        label="Preview address"
        help="Where the site shows an entry, with fields in braces: https://site.example/{slug}?preview={token}"
        type="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={draft.previewUrl}
        onChange={({ target }) => onChange({ previewUrl: target.value })}
      />
    </Section>
  );
}
