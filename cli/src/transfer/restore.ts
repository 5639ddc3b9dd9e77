import { join } from 'node:path';
import type { Contract } from '@trivet/client/request';
import type { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { planLines } from '../schema/plan-lines.js';
import { bodyOfPlan, inFiles, isBlocked, planPush, type PushOptions } from '../schema/plan-schema.js';
import { readSchema, type SchemaInFiles } from '../schema/schema-files.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { waitForChanges } from '../schema/wait-for-changes.js';
import { EXPORT, readManifest, type WebhookLine } from './export-format.js';
import { linesOfFile } from '../lines/lines.js';
import { restoreDrafts } from './restore-drafts.js';
import { restoreEntries } from './restore-entries.js';
import { restoreMedia } from './restore-media.js';
import { RestoreLog } from './restore-log.js';
import { RestoreReport } from './restore-report.js';
import { restoreSubmissions } from './restore-submissions.js';

/** Adds `trivet restore`. */
export function addRestore(program: Command, running: Process): void {
  program
    .command('restore')
    .description('brings an export into a tenant; what is there already stays, so it may be run again')
    .argument('<dir>', 'the folder of the export')
    .option('--allow-lossy', 'allow steps of the schema by which values are lost')
    .action(actionOf<PushOptions>(running, (session, [folder = ''], options) => restore(session, folder, options)));
}

async function restore(session: Session, folder: string, options: PushOptions): Promise<ExitCode> {
  const { output } = session;
  await readManifest(folder);
  const schema = await readSchema(join(folder, EXPORT.schema));
  const report = new RestoreReport();
  if (!(await restoreSchema(session, folder, { schema, options, report }))) return ExitCode.wouldBreak;
  const types = schema.document.types;
  const log = await RestoreLog.of(session, folder);
  const files = await restoreMedia(session, folder, { log, report });
  await restoreEntries(session, { folder, files, log, report }, types);
  await restoreDrafts(session, folder, { files, report });
  for (const { slug } of schema.document.forms) await restoreSubmissions(session, folder, slug, report);
  for (const line of report.lines) output.line(line);
  output.json(report.json);
  return report.failed > 0 ? ExitCode.failed : ExitCode.done;
}

/** Returns false if stored values are in the way. Webhooks that are there stay; others come back inactive. */
async function restoreSchema(
  session: Session,
  folder: string,
  { schema, options, report }: { schema: SchemaInFiles; options: PushOptions; report: RestoreReport },
): Promise<boolean> {
  const { trivet, output, signal } = session;
  const { data: now } = await trivet.request('getSchema', { signal });
  const known = new Set(now.webhooks.map(({ url }) => url));
  const added = schema.document.webhooks.filter(({ url }) => !known.has(url));
  const webhooks = added.map((webhook): Contract.SchemaWebhook => ({ ...webhook, active: false }));
  const wanted = { ...schema, document: { ...schema.document, webhooks } };
  const { steps, hash } = await planPush(session, wanted, options);
  if (steps.some((step) => isBlocked(step, options))) {
    for (const line of planLines(steps, output.paint)) output.line(line);
    output.note('The schema of the tenant differs, and values are in the way. Nothing was restored.');
    output.json({ steps });
    return false;
  }
  const body = { ...bodyOfPlan(wanted, options), hash };
  const { data } = await inFiles(wanted, trivet.request('applySchema', { body, signal, timeout: 0 }));
  await waitForChanges(session, data.changes);
  report.add('steps of the schema', steps.length);
  report.skip('webhooks', schema.document.webhooks.length - added.length);
  const urls = new Set(added.map(({ url }) => url));
  for await (const { url, signed, headers } of linesOfFile<WebhookLine>(join(folder, EXPORT.webhooks))) {
    if (!urls.has(url)) continue;
    const missing = [...(signed ? ['its secret'] : []), ...headers.map((name) => `the header ${name}`)];
    report.toEnter.push(
      `${url} is inactive${missing.length > 0 ? `: enter ${missing.join(', ')}, then` : ':'} activate it`,
    );
  }
  return true;
}
