import { Link } from 'wouter';
import { Button } from '../parts/button';
import { Buttons } from '../parts/buttons';
import { ProblemMessage } from '../parts/problem-message';
import { Progress } from './progress';
import { useTenant } from '../shell/tenant';
import { type Failure, forgetWork, startWork, useWorks, type Work, type WorkOrder } from './work';
import styles from './work-panel.module.css';

/** Failures that are listed. */
const LISTED = 50;

/** What is being done for the tenant, with its progress, and what failed of it. It is in sight on every page. */
export function WorkPanel() {
  const works = useWorks(useTenant().id);
  return (
    // With the attribute, dialogs do not hide it from screen readers: what ends or fails meanwhile is said.
    <div aria-live="off">
      {works.length > 0 && (
        <section className={styles.panel} aria-label="Work">
          {works.map((work) => (
            <article key={work.id} className={styles.work}>
              <h2 className={styles.title}>{work.title}</h2>
              {work.state === 'running' ? <Running work={work} /> : <Ended work={work} />}
            </article>
          ))}
        </section>
      )}
    </div>
  );
}

function Running({ work: { title, done, words, cancel } }: { work: Work }) {
  return (
    <div className={styles.running}>
      <div className={styles.progress}>
        <Progress label={title} value={done} />
      </div>
      <span className={styles.words}>{words}</span>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}

function Ended({ work }: { work: Work }) {
  const { id, end, error } = work;
  const again = () => {
    forgetWork(id);
    if (end?.again) end.again();
    else startWork(orderOf(work));
  };
  return (
    <>
      {end ? (
        <div role="alert" className={styles.failed}>
          <p>{end.said}</p>
          <Failures failures={end.failures ?? []} />
        </div>
      ) : (
        <ProblemMessage error={error} />
      )}
      <Buttons>
        {(end === undefined || end.again) && <Button onClick={again}>Try again</Button>}
        <Button look="quiet" onClick={() => forgetWork(id)}>
          Dismiss
        </Button>
      </Buttons>
    </>
  );
}

function orderOf({ tenantId, title, run, onEnd }: WorkOrder): WorkOrder {
  return { tenantId, title, run, onEnd };
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <ul className={styles.failures}>
      {failures.slice(0, LISTED).map(({ name, href, message }, index) => (
        <li key={index}>
          <strong dir="auto">{href === undefined ? name : <Link href={href}>{name}</Link>}</strong>
          <span dir="auto">{message}</span>
        </li>
      ))}
      {failures.length > LISTED && <li>And {(failures.length - LISTED).toLocaleString()} more.</li>}
    </ul>
  );
}
