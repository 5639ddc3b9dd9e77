import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../../api/content-types';
import { countLocales } from '../../api/locales';
import { useLocales } from '../../locales/use-locales';
import { Select } from '../../parts/fields/select';
import { useTenant } from '../../shell/tenant';
import { entriesKey } from './keys';
import { translationText } from './translation';
import styles from './translation-filter.module.css';

interface TranslationFilterProps {
  type: ContentType;
  value: string;
  onChange: (value: string) => void;
}

/** Which entries are shown by their translation, with the numbers of each choice. */
export default function TranslationFilter({ type, value, onChange }: TranslationFilterProps) {
  const { id } = useTenant();
  const { data: locales } = useLocales();
  const { data: counts } = useQuery({
    queryKey: [...entriesKey(id, type.slug), 'locales'],
    queryFn: ({ signal }) => countLocales(id, type.slug, signal),
  });
  const others = locales?.data.locales.filter(({ code }) => code !== locales.data.default) ?? [];
  if (others.length === 0) return null;
  return (
    <Select
      label="Translation"
      isLabelHidden
      className={styles.choice}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">Any translation</option>
      {others.map(({ code, name }) => {
        const count = counts?.find((each) => each.code === code);
        const withCount = (words: string, number: number | undefined) =>
          number === undefined ? words : `${words} (${number.toLocaleString()})`;
        return (
          <optgroup key={code} label={name}>
            <option value={translationText({ state: 'translated', code })}>
              {withCount(`Translated into ${name}`, count?.live)}
            </option>
            <option value={translationText({ state: 'missing', code })}>
              {withCount(`Missing in ${name}`, count?.missing)}
            </option>
            <option value={translationText({ state: 'behind', code })}>
              {withCount(`${name} is behind`, count?.behind)}
            </option>
          </optgroup>
        );
      })}
    </Select>
  );
}
