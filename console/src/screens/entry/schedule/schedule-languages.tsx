import { LanguageNames } from '../../../locales/language-names';
import { localeName } from '../../../locales/use-locales';
import { Checkbox } from '../../../parts/fields/checkbox';
import { classNames } from '../../../parts/class-names';
import { Fieldset } from '../../../parts/groups/fieldset';
import { usePartChecked } from '../../../parts/use-part-checked';
import styles from './schedule.module.css';
import type { ScheduleLanguages } from './use-schedule-languages';

/** The languages that a schedule is for: all, which is the whole entry, or some of them. */
export function LanguagesOfSchedule({ languages }: { languages: ScheduleLanguages }) {
  const { locales, offered, mayAll, chosen, error, isEarly, onChoose } = languages;
  const isAll = chosen.length === offered.length;
  const all = usePartChecked(!isAll && chosen.length > 0);
  const choose = (code: string, isChosen: boolean) =>
    onChoose(offered.map((each) => each.code).filter((each) => (each === code ? isChosen : chosen.includes(each))));
  return (
    <>
      <Fieldset legend="Languages" error={error} isList>
        {mayAll && (
          <Checkbox
            ref={all}
            label="All languages"
            checked={isAll}
            onChange={({ target }) => onChoose(target.checked ? offered.map(({ code }) => code) : [])}
          />
        )}
        <div className={classNames(styles.languages, mayAll && styles.below)}>
          {offered.map(({ code, name }) => (
            <Checkbox
              key={code}
              label={name}
              checked={chosen.includes(code)}
              onChange={({ target }) => choose(code, target.checked)}
            />
          ))}
        </div>
      </Fieldset>
      {isEarly && (
        <p>
          This entry is not public yet. <LanguageNames locales={locales} codes={chosen} /> can be published only once{' '}
          <bdi>{localeName(locales, locales.default)}</bdi>, the default language, is public.
        </p>
      )}
    </>
  );
}
