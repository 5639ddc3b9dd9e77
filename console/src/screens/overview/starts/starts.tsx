import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { BASE } from '../../../base';
import { Button } from '../../../parts/button';
import { Section } from '../../../parts/page';
import { useTenant } from '../../../shell/tenant';
import { useWorks } from '../../../work/work';
import { MAGAZINE_TITLE, startMagazine } from './magazine-work';
import { TYPE_TEMPLATES } from './type-templates';
import styles from './starts.module.css';

/** What to begin with in a tenant that has nothing yet. */
export function Starts() {
  const { id, name } = useTenant();
  const client = useQueryClient();
  const isMaking = useWorks(id).some(({ title, state }) => title === MAGAZINE_TITLE && state === 'running');
  return (
    <div className={styles.starts}>
      <Section
        title="Start with a content type"
        about="It says what entries hold. Look at it, change it, and apply it."
      >
        <ul className={styles.templates}>
          {TYPE_TEMPLATES.map(({ id: template, title, about }) => (
            <li key={template} className={styles.template}>
              <Link href={`/types/new?template=${template}`}>{title}</Link>
              <span>{about}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section
        title="Start with a magazine"
        about={`To look around: three content types, with desks, articles and issues. They are made in ${name}, and can be changed or deleted as your own.`}
      >
        <div>
          <Button
            isBusy={isMaking}
            onClick={() => startMagazine(id, () => void client.invalidateQueries({ queryKey: [id] }))}
          >
            {MAGAZINE_TITLE}
          </Button>
        </div>
      </Section>
      <Section
        title="Start with an import"
        about="Entries come from CSV or NDJSON. Make a content type with a field for each column. Its entries then offer “Import”, which checks a file before anything is changed."
      >
        <ul className={styles.links}>
          <li>
            <Link href="/types/new">Make a content type for the import</Link>
          </li>
          <li>
            <a href={`${BASE}/guides/reference/bulk-import-export`}>How files are read</a>
          </li>
        </ul>
      </Section>
    </div>
  );
}
