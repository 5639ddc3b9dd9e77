import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContentType } from '../../../api/content-types';
import { importEntries } from '../../../api/exchange';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { FileField } from '../../../parts/fields/file-field';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { Progress } from '../../../work/progress';
import { Select } from '../../../parts/fields/select';
import { useTenant } from '../../../shell/tenant';
import { countOf } from '../entry-action-words';
import { labelOf } from '../fields';
import { ImportFindings } from './import-findings';
import { startImport } from './import-work';

interface ImportDialogProps {
  type: ContentType;
  /** When the import has ended. */
  onEnd: () => void;
  onClose: () => void;
}

/** Checks a file before anything is changed, and then imports it. The import goes on when the dialog is closed. */
export function ImportDialog({ type, onEnd, onClose }: ImportDialogProps) {
  const { id: tenantId } = useTenant();
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const [fault, setFault] = useState<string>();
  const check = useCheck(tenantId, type);
  const unique = type.fields.filter((field) => field.unique && !field.multiple);
  const report = check.data;
  const count = report ? report.created + report.updated : 0;
  const submit = () => {
    if (!file) return setFault('Choose a file.');
    if (!report) return check.start({ file, key });
    startImport({
      tenantId,
      type,
      file,
      found: { entries: count, failed: report.failed },
      onEnd,
      ...(key !== '' && { key }),
    });
    onClose();
  };
  return (
    <Dialog title={`Import into ${type.name}`} isOpen onClose={onClose}>
      <p>
        CSV with the names of fields in its first line, or NDJSON. Check shows what would happen, and changes nothing.
      </p>
      <Form onSubmit={submit}>
        <FileField
          label="File"
          accept=".csv,.tsv,.ndjson,.jsonl,text/csv,application/x-ndjson"
          error={fault}
          onChoose={(chosen) => {
            setFile(chosen);
            setFault(undefined);
            check.reset();
          }}
        />
        {unique.length > 0 && (
          <Select
            label="Update entries with the same"
            help="Lines whose value no entry has become new entries."
            value={key}
            onChange={({ target }) => {
              setKey(target.value);
              check.reset();
            }}
          >
            <option value="">Nothing: each line is a new entry</option>
            {unique.map((field) => (
              <option key={field.name} value={field.name}>
                {labelOf(field)}
              </option>
            ))}
          </Select>
        )}
        <ProblemMessage error={check.error} />
        {check.isPending && <Progress label="Check" value={check.share} />}
        {report && <ImportFindings report={report} />}
        <DialogButtons>
          {(!report || count > 0) && (
            <Button type="submit" look="primary" isBusy={check.isPending}>
              {report ? `Import ${countOf({ length: count })}` : 'Check'}
            </Button>
          )}
          <Button onClick={check.isPending ? check.cancel : onClose}>Cancel</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** A dry run, which ends when the dialog is closed. */
function useCheck(tenantId: string, type: ContentType) {
  const [share, setShare] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: ({ file, key }: { file: File; key: string }) => {
      running.current = new AbortController();
      setShare(0);
      return importEntries(tenantId, type.slug, {
        ...{ file, isDryRun: true, signal: running.current.signal, onProgress: setShare },
        ...(key !== '' && { key }),
      });
    },
  });
  const cancel = () => {
    running.current?.abort();
    reset();
  };
  return { data, error, isPending, share, start: mutate, reset: cancel, cancel };
}
