import { useTenant } from '../../shell/tenant';
import { choiceOf } from './narrowed-rights';
import { RightChoice } from './right-choice';
import { AREAS, summaryOf } from './scope-words';
import { useNarrowingTypes } from './use-narrowing-types';
import styles from './rights-choice.module.css';

interface RightsChoiceProps {
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
  error?: string;
}

/** The rights that the person may give. What a role holds besides stays as it is. */
export function RightsChoice({ chosen, onChoose, error }: RightsChoiceProps) {
  const { scopes: own } = useTenant();
  const { types, nameOf } = useNarrowingTypes();
  const offered = AREAS.flatMap(({ rights }) => rights).map(({ scope }) => scope);
  const others = chosen.filter((each) => offered.every((scope) => choiceOf([each], scope, types) === undefined));
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
          {rights.map((right) => (
            <RightChoice key={right.scope} {...{ right, own, types, chosen, onChoose }} />
          ))}
        </fieldset>
      ))}
      {others.length > 0 && <p className={styles.others}>Besides: {summaryOf(others, nameOf)}</p>}
    </div>
  );
}
