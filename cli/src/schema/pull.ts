import type { Command } from 'commander';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';
import { writeSchema } from './schema-files.js';

/** The folder of a schema, unless another one is named. */
export const DEFAULT_FOLDER = 'schema';

/** Adds `trivet pull`. */
export function addPull(program: Command, running: Process): void {
  program
    .command('pull')
    .description('writes locales, content types, forms and webhooks into a folder, one JSON file each')
    .argument('[dir]', 'the folder', DEFAULT_FOLDER)
    .action(actionOf(running, (session, [folder = DEFAULT_FOLDER]) => pull(session, folder)));
}

async function pull({ trivet, output, signal }: Session, folder: string): Promise<void> {
  const { data } = await trivet.request('getSchema', { signal });
  const removed = await writeSchema(folder, data);
  const counts = { types: data.types.length, forms: data.forms.length, webhooks: data.webhooks.length };
  for (const file of removed) output.line(`removed ${file}`);
  output.line(
    `${folder} has ${counts.types} content types, ${counts.forms} forms and ${counts.webhooks} webhooks. Secrets and headers of webhooks are not in it.`,
  );
  output.json({ folder, ...counts, removed });
}
