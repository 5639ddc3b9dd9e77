import { useState } from 'react';
import type { FormDetail } from '../../../api/forms';
import { readFile, saveFile } from '../../../api/save-file';
import { submissionFilePath, type Submission, type SubmissionFile } from '../../../api/submissions';
import { Button } from '../../../parts/button';
import { bytesInWords } from '../../../parts/numbers';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import styles from './inbox.module.css';

/** The values in the order of the form, then those of fields that it had before. */
export function SubmissionValues({ form, submission }: { form: FormDetail; submission: Submission }) {
  const { fields, files } = submission;
  const today = form.fields.filter(({ name }) => name in fields);
  const former = Object.keys(fields).filter((name) => !today.some((field) => field.name === name));
  return (
    <dl className={styles.values}>
      {today.map(({ name, label, type }) => (
        <Value
          key={name}
          label={label || name}
          value={shown(fields[name] ?? '', type)}
          isAddress={type === 'email'}
          submission={submission}
          files={files.filter(({ field }) => field === name)}
        />
      ))}
      {former.map((name) => (
        <Value key={name} label={name} value={fields[name] ?? ''} submission={submission} files={[]} />
      ))}
    </dl>
  );
}

function shown(value: string, type: string): string {
  if (type !== 'checkbox') return value;
  return value === 'true' ? 'Yes' : 'No';
}

interface ValueProps {
  label: string;
  value: string;
  /** A mail can be written to it. */
  isAddress?: boolean;
  submission: Submission;
  files: readonly SubmissionFile[];
}

function Value({ label, value, isAddress, submission, files }: ValueProps) {
  const text = isAddress && value !== '' ? <a href={`mailto:${encodeURIComponent(value)}`}>{value}</a> : value;
  return (
    <div className={styles.value}>
      <dt dir="auto">{label}</dt>
      <dd dir="auto">
        {files.length === 0 ? text : files.map((file) => <File key={file.id} submission={submission} file={file} />)}
      </dd>
    </div>
  );
}

/** It is downloaded, and never opened here: it came from a stranger. */
function File({ submission, file: { id, name, size } }: { submission: Submission; file: SubmissionFile }) {
  const tenant = useTenant();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const signal = new AbortController().signal;
      saveFile(await readFile(submissionFilePath(tenant.id, submission, id), { signal, onBytes: () => {} }), name);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.file}>
      <span>
        {name} ({bytesInWords(size)})
      </span>
      <Button isBusy={isBusy} aria-label={`Download ${name}`} onClick={() => void save()}>
        Download
      </Button>
      <ProblemMessage error={error} />
    </div>
  );
}
