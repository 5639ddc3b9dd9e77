import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '@trivet/client/request';
import type { Command } from 'commander';
import { UsageError } from '../exit-code.js';
import { writeSchema } from '../schema/schema-files.js';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { EXPORT, manifestOf, PER_PAGE, type WebhookLine } from './export-format.js';
import { writeMedia, writeSubmissions } from './export-files.js';
import { ListFiles } from './list-file.js';

/** Adds `trivet export`. */
export function addExport(program: Command, running: Process): void {
  program
    .command('export')
    .description('writes everything of the tenant into a folder; run it again if it was interrupted')
    .argument('<dir>', 'the folder')
    .action(actionOf(running, (session, [folder = '']) => exportTenant(session, folder)));
}

async function exportTenant(session: Session, folder: string): Promise<void> {
  if (existsSync(join(folder, EXPORT.manifest)))
    throw new UsageError(`${folder} has a complete export. Name another folder.`);
  const { trivet, output, signal, tenant, url } = session;
  const files = await ListFiles.in(folder, `${tenant} at ${url}`);
  const { data: schema } = await trivet.request('getSchema', { signal });
  await writeSchema(join(folder, EXPORT.schema), schema);
  const counts: Record<string, number> = { types: schema.types.length, forms: schema.forms.length };
  counts['webhooks'] = await writeWebhooks(session, folder);
  counts['entries'] = 0;
  for (const type of schema.types) counts['entries'] += await writeEntries(session, files, type);
  counts['drafts'] = await writeDrafts(session, files, schema);
  counts['submissions'] = 0;
  for (const { slug } of schema.forms) counts['submissions'] += await writeSubmissions(session, folder, files, slug);
  counts['media'] = await writeMedia(session, folder, files);
  await writeFile(join(folder, EXPORT.manifest), `${JSON.stringify(manifestOf(tenant, counts), null, 2)}\n`);
  await files.finish();
  output.line(
    `${folder} has ${counts['entries']} entries, ${counts['drafts']} drafts, ${counts['submissions']} submissions and ${counts['media']} media files. ` +
      'Histories, schedules, keys and people are not in it.',
  );
  output.json({ folder, ...counts });
}

async function writeEntries(
  { trivet, output, signal }: Session,
  files: ListFiles,
  { slug, fields }: Contract.SchemaType,
): Promise<number> {
  const progress = output.progress(`Entries of ${slug}`);
  const isLocalized = (fields as { localized?: boolean }[]).some(({ localized }) => localized);
  const query = { per_page: PER_PAGE, sort: 'created_at', ...(isLocalized && { locale: '*' }) };
  return files
    .write(
      EXPORT.entries(slug),
      (cursor) =>
        trivet.request('listEntries', { path: { content_type_id: slug }, query: { ...query, cursor }, signal }),
      ({ content_type_id: _, ...entry }: Contract.Entry) => entry,
      (count) => progress.at(count),
    )
    .finally(() => progress.end());
}

async function writeDrafts(
  { trivet, output, signal }: Session,
  files: ListFiles,
  schema: Contract.SchemaDocument,
): Promise<number> {
  const progress = output.progress('Drafts');
  const slugs = new Map<string, string>();
  for (const { slug } of schema.types) {
    const { data } = await trivet.request('getContentType', { path: { content_type_id: slug }, signal });
    slugs.set(data.id, slug);
  }
  const localized = new Set(
    schema.types
      .filter(({ fields }) => (fields as { localized?: boolean }[]).some((field) => field.localized))
      .map(({ slug }) => slug),
  );
  return files
    .write(
      EXPORT.drafts,
      (cursor) => trivet.request('listDrafts', { query: { cursor, per_page: PER_PAGE }, signal }),
      async ({ id, content_type_id: typeId }: Contract.Draft) => {
        const slug = slugs.get(typeId);
        if (slug === undefined) return undefined;
        const locale = localized.has(slug) ? { locale: '*' } : {};
        const { data } = await trivet.request('getDraft', {
          path: { content_type_id: slug, entry_id: id },
          query: locale,
          signal,
        });
        const values = Object.fromEntries(data.changed.map((name) => [name, data.fields[name] ?? null]));
        return { id, content_type: slug, values, ...locale };
      },
      (count) => progress.at(count),
    )
    .finally(() => progress.end());
}

async function writeWebhooks({ trivet, signal }: Session, folder: string): Promise<number> {
  const { data } = await trivet.request('listWebhooks', { query: { view: 'full' }, signal });
  const lines = data.map(({ url = '', signed = false, headers = {} }): WebhookLine => {
    return { url, signed, headers: Object.keys(headers) };
  });
  await writeFile(join(folder, EXPORT.webhooks), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return lines.length;
}
