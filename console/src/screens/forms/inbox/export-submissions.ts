import type { FormDetail } from '../../../api/forms';
import { readFile, saveFile } from '../../../api/save-file';
import { submissionExportPath, type SubmissionQuery } from '../../../api/submissions';
import { bytesInWords } from '../../../parts/numbers';
import { startWork } from '../../../work/work';

/** Saves what the list shows as CSV, which spreadsheets read with the byte order mark. */
export function exportSubmissions(tenantId: string, { id, slug, name }: FormDetail, query: SubmissionQuery): void {
  startWork({
    tenantId,
    title: `Export submissions of ${name}`,
    run: async ({ signal, progress }) => {
      let bytes = 0;
      const file = await readFile(submissionExportPath(tenantId, id, { ...query, format: 'csv', bom: 'true' }), {
        signal,
        onBytes: (more) => progress(undefined, `${bytesInWords((bytes += more))} received`),
      });
      saveFile(file, `${slug}.csv`);
      return { said: `${slug}.csv was saved in your downloads.` };
    },
  });
}
