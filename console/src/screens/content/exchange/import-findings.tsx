import type { BadLine, ImportReport } from '../../../api/exchange';
import { countOf } from '../entry-action-words';
import styles from './import-findings.module.css';

/** Lines that are listed. */
const LISTED = 100;

/** What a check found: how many entries would be made and changed, and which lines would not. */
export function ImportFindings({ report }: { report: ImportReport }) {
  const { badLines, failed, stopped } = report;
  return (
    <div className={styles.findings} role="alert">
      <p>{consequencesOf(report)}</p>
      {stopped !== undefined && <p>{stopped}</p>}
      {failed > 0 && (
        <>
          <p>
            {failed.toLocaleString()} {failed === 1 ? 'line has a problem and is' : 'lines have problems and are'} left
            out:
          </p>
          <ul className={styles.lines} tabIndex={0} aria-label="Problems">
            {badLines.slice(0, LISTED).map((line) => (
              <li key={line.line} dir="auto">
                <strong>{placeOf(line)}</strong> {sentenceOf(line)}
              </li>
            ))}
            {failed > LISTED && <li>And more.</li>}
          </ul>
        </>
      )}
    </div>
  );
}

function consequencesOf({ created, updated, unchanged }: ImportReport): string {
  const will = (count: number, what: string) => count > 0 && `${countOf({ length: count })} will be ${what}.`;
  const parts = [will(created, 'created'), will(updated, 'updated'), will(unchanged, 'left as they are')].filter(
    Boolean,
  );
  return parts.length > 0 ? parts.join(' ') : 'There is nothing to import.';
}

export function placeOf({ line, last_line: last }: BadLine): string {
  return last === undefined
    ? `Line ${line.toLocaleString()}`
    : `Lines ${line.toLocaleString()} to ${last.toLocaleString()}`;
}

export function sentenceOf({ problem: { detail, errors = [] } }: BadLine): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail;
}
