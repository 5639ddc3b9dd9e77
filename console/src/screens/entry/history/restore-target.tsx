import { Fieldset } from '../../../parts/groups/fieldset';
import styles from './restore-target.module.css';

export type Target = 'live' | 'draft';

interface RestoreTargetProps {
  mayChangeLive: boolean;
  hasDraft: boolean;
  target: Target;
  onChange: (target: Target) => void;
}

/** Where the values of a version of a published entry shall be. */
export function RestoreTarget({ mayChangeLive, hasDraft, target, onChange }: RestoreTargetProps) {
  const about = aboutOf(target, hasDraft);
  if (!mayChangeLive) return <p>The values of this version become a draft. {about}</p>;
  return (
    <Fieldset legend="Where to" help={about}>
      <RestoreChoice
        group="target"
        label="Into the entry, which is public"
        isChosen={target === 'live'}
        onChoose={() => onChange('live')}
      />
      <RestoreChoice
        group="target"
        label="Into the draft"
        isChosen={target === 'draft'}
        onChoose={() => onChange('draft')}
      />
    </Fieldset>
  );
}

interface RestoreChoiceProps {
  group: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

/** One of the ways to restore. */
export function RestoreChoice({ group, label, isChosen, onChoose }: RestoreChoiceProps) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}

function aboutOf(target: Target, hasDraft: boolean): string {
  if (target === 'live') {
    const draft = hasDraft ? ' The draft stays as it is, and its values go on being shown on top.' : '';
    return `It is public at once. What the entry is now stays in the history.${draft}`;
  }
  return hasDraft ? 'It takes the place of the draft that there is, which is lost.' : 'What is public stays as it is.';
}
