import { TrivetError } from '@trivet/client';
import type { Contract } from '@trivet/client/request';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../session/session.js';

const LOOK_MS = 500;

export type StartedChange = Contract.AppliedSchema['changes'][number];

/** Waits for the changes of large content types. They go on whether somebody waits or not. Throws if one fails. */
export async function waitForChanges(session: Session, changes: readonly StartedChange[]): Promise<void> {
  for (const change of changes) await waitFor(session, change);
}

async function waitFor({ trivet, output, signal }: Session, { id, content_type: slug }: StartedChange): Promise<void> {
  const progress = output.progress(`Content type ${slug}`);
  try {
    for (;;) {
      const { data } = await trivet.request('getSchemaChange', { path: { change_id: id }, signal });
      if (data.state === 'done') return;
      if (data.state === 'failed') throw failureOf(slug, data.problem);
      progress.at(data.processed, data.total);
      await sleep(LOOK_MS, undefined, { signal });
    }
  } finally {
    progress.end();
  }
}

function failureOf(slug: string, problem: Contract.SchemaChange['problem']): TrivetError {
  const message = `The content type ${slug} stays as it was, and everything else was applied: ${problem?.detail ?? ''}`;
  return new TrivetError(message, { status: problem?.status ?? 409, code: problem?.code ?? 'conflict' });
}
