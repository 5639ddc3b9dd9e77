import { Checkbox } from '../../parts/checkbox';
import { covers } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { AREAS, summaryOf } from './scope-words';
import styles from './rights-choice.module.css';

interface RightsChoiceProps {
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
  error?: string;
}

/** The rights that the person may give. What a role holds besides stays as it is. */
export function RightsChoice({ chosen, onChoose, error }: RightsChoiceProps) {
  const { scopes: own } = useTenant();
  const offered = AREAS.flatMap(({ rights }) => rights).map(({ scope }) => scope);
  const others = chosen.filter((scope) => !offered.includes(scope));
  const toggle = (scope: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, scope] : chosen.filter((each) => each !== scope));
  return (
    <div className={styles.areas}>
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {AREAS.map(({ name, rights }) => (
        <fieldset key={name} className={styles.area}>
          <legend>{name}</legend>
          {rights.map(({ scope, words }) => (
            <Checkbox
              key={scope}
              label={words}
              checked={chosen.includes(scope)}
              disabled={!covers(own, scope)}
              onChange={({ target }) => toggle(scope, target.checked)}
            />
          ))}
        </fieldset>
      ))}
      {others.length > 0 && <p className={styles.others}>Besides: {summaryOf(others)}</p>}
    </div>
  );
}
