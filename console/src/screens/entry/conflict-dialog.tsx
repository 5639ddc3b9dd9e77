import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import type { ContentType, FieldDefinition } from '../../api/content-types';
import { Button } from '../../parts/button';
import { Dialog, DialogButtons } from '../../parts/dialog';
import { countedAs } from '../../parts/numbers';
import { labelInLanguage } from './language/label-in-language';
import { useEntryLanguage } from './language/entry-language';
import styles from './conflict-dialog.module.css';
import type { Question } from './model/editor-state';
import { type Conflict, conflictKey } from './model/merge';
import { textOfValue } from './model/value-text';

/** What shows values of every type is loaded when there is such a question. */
const ConflictValue = lazy(() => import('./conflict-value').catch(() => ({ default: PlainValue })));

/** Fields that two people changed: both values, of which the person chooses one. */
export default function ConflictDialog({ type, question }: { type: ContentType; question: Question }): ReactNode {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const { conflicts, answer } = question;
  const left = conflicts.filter((conflict) => !choices.has(conflictKey(conflict))).length;
  const choose = (key: string, choice: Choice) => setChoices(new Map(choices).set(key, choice));
  const save = () => answer(new Set([...choices].flatMap(([key, choice]) => (choice === 'theirs' ? [key] : []))));
  return (
    <Dialog title="Changed by somebody else" isOpen onClose={() => answer(undefined)} isWide>
      <p>Somebody else saved other values meanwhile. Nothing is lost: choose for each field which one stays.</p>
      {conflicts.map((conflict) => (
        <ConflictGroup
          key={conflictKey(conflict)}
          definition={definitionIn(type, conflict.name)}
          conflict={conflict}
          choice={choices.get(conflictKey(conflict))}
          onChoose={(choice) => choose(conflictKey(conflict), choice)}
        />
      ))}
      <DialogButtons>
        <Button look="primary" disabled={left > 0} onClick={save}>
          Save
        </Button>
        <Button onClick={() => answer(undefined)}>Decide later</Button>
        {left > 0 && <span className={styles.left}>{countedAs(left, 'field')} to decide</span>}
      </DialogButtons>
    </Dialog>
  );
}

type Choice = 'mine' | 'theirs';

interface ConflictGroupProps {
  definition: FieldDefinition;
  conflict: Conflict;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

function ConflictGroup({ definition, conflict, choice, onChoose }: ConflictGroupProps) {
  const id = useId();
  const language = useEntryLanguage();
  const label = labelInLanguage(language?.locales, definition, conflict.locale ?? language?.code);
  const sides = [
    { choice: 'mine', title: 'Mine', action: 'Keep mine', value: conflict.mine },
    { choice: 'theirs', title: 'Theirs', action: 'Take theirs', value: conflict.theirs },
  ] as const;
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
      <h3 id={id} dir="auto">
        {label}
      </h3>
      <div className={styles.sides}>
        {sides.map(({ choice: side, title, action, value }) => (
          <div key={side} className={choice === side ? styles.chosen : styles.side}>
            <p className={styles.whose}>{title}</p>
            <div className={styles.value} dir="auto" tabIndex={0} role="region" aria-label={`${title}: ${label}`}>
              {value === undefined ? (
                <em>Nothing</em>
              ) : (
                <Suspense fallback={textOfValue(value)}>
                  <ConflictValue definition={definition} value={value} />
                </Suspense>
              )}
            </div>
            <Button aria-pressed={choice === side} onClick={() => onChoose(side)}>
              {action}
            </Button>
          </div>
        ))}
      </div>
    </div>
  );
}

/** As far as it can be shown without the network. */
function PlainValue({ value }: { definition: FieldDefinition; value: unknown }) {
  return <>{textOfValue(value)}</>;
}

/** A field that the type does not have any more is shown as it is stored. */
function definitionIn({ fields }: ContentType, name: string): FieldDefinition {
  return fields.find((each) => each.name === name) ?? { name, type: 'json' };
}
