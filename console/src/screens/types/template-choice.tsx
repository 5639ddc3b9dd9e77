import { useId } from 'react';
import { Fieldset } from '../../parts/groups/fieldset';
import { TEMPLATES } from './templates';
import styles from './template-choice.module.css';

interface TemplateChoiceProps {
  chosen: string;
  onChoose: (id: string) => void;
}

/** What a new type begins with. */
export function TemplateChoice({ chosen, onChoose }: TemplateChoiceProps) {
  const group = useId();
  return (
    <Fieldset legend="Begin with">
      <div className={styles.templates}>
        {TEMPLATES.map(({ id, title, about }) => (
          <div key={id} className={styles.template}>
            <input
              type="radio"
              id={`${group}${id}`}
              name={group}
              aria-describedby={`${group}${id}-about`}
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <label htmlFor={`${group}${id}`}>{title}</label>
            <span id={`${group}${id}-about`}>{about}</span>
          </div>
        ))}
      </div>
    </Fieldset>
  );
}
