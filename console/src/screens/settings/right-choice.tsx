import type { ContentType } from '../../api/content-types';
import { Checkbox } from '../../parts/fields/checkbox';
import { choiceOf, givenOf, withChoice } from './narrowed-rights';
import styles from './rights-choice.module.css';
import type { Right } from './scope-words';

interface RightChoiceProps {
  right: Right;
  /** The scopes of the person who gives them. */
  own: readonly string[];
  types: readonly ContentType[];
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
}

/** One right, of all content types or of some. */
export function RightChoice({ right, own, types, chosen, onChoose }: RightChoiceProps) {
  const { scope, words } = right;
  const choice = choiceOf(chosen, scope, types);
  const given = givenOf(own, right, types);
  const offered = types.filter(({ id }) => given === 'all' || given?.includes(id));
  const choose = (next: typeof choice) => onChoose(withChoice(chosen, scope, next, types));
  const isNarrow = choice !== undefined && choice !== 'all';
  return (
    <>
      <Checkbox
        label={words}
        checked={choice !== undefined}
        disabled={given === undefined}
        onChange={({ target }) => choose(target.checked ? given : undefined)}
      />
      {right.isNarrowed === true && choice !== undefined && offered.length > 0 && (
        <fieldset className={styles.types} aria-label={`${words}: content types`}>
          <Checkbox
            label="Only some content types"
            checked={isNarrow}
            disabled={given !== 'all'}
            onChange={({ target }) => choose(target.checked ? offered.map(({ id }) => id) : 'all')}
          />
          {isNarrow &&
            offered.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={choice.includes(id)}
                // The last one is left by leaving the right.
                disabled={choice.length === 1 && choice.includes(id)}
                onChange={({ target }) =>
                  choose(target.checked ? [...choice, id] : choice.filter((each) => each !== id))
                }
              />
            ))}
        </fieldset>
      )}
    </>
  );
}
