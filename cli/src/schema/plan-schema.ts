import { TrivetError } from '@trivet/client';
import type { Contract } from '@trivet/client/request';
import type { Session } from '../session/session.js';
import type { SchemaInFiles } from './schema-files.js';

/** A plan reads all entries of the content types that change. */
const PLAN_MS = 10 * 60_000;

export type Plan = Contract.PlannedSchema;
export type Step = Plan['steps'][number];

/** What a push may do. */
export interface PushOptions {
  readonly prune?: boolean;
  readonly allowLossy?: boolean;
}

/** The body of a plan. */
export function bodyOfPlan({ document }: SchemaInFiles, { prune, allowLossy }: PushOptions): Contract.PlanSchema {
  return { document, ...(prune && { prune }), ...(allowLossy && { allow_lossy: allowLossy }) };
}

/** Asks the service what a push would do. */
export async function planPush(session: Session, schema: SchemaInFiles, options: PushOptions): Promise<Plan> {
  const { trivet, signal } = session;
  const body = bodyOfPlan(schema, options);
  const { data } = await inFiles(schema, trivet.request('planSchema', { body, signal, timeout: PLAN_MS }));
  return data;
}

/** Whether a step is in the way of the push. */
export function isBlocked(step: Step, { allowLossy }: PushOptions): boolean {
  return step.class === 'needs_data' || (step.class === 'lossy' && !allowLossy);
}

/** Names the files in the errors of a document. */
export async function inFiles<Result>({ files }: SchemaInFiles, request: Promise<Result>): Promise<Result> {
  return request.catch((error: unknown) => {
    if (!(error instanceof TrivetError)) throw error;
    const { status, code, requestId, retryAfter, problem, message } = error;
    const errors = error.errors.map((one) => ({ ...one, path: fileOf(files, one.path) }));
    throw new TrivetError(message, { status, code, errors, requestId, retryAfter, problem, cause: error });
  });
}

/** `types/post.json fields.0.type` for `document.types.3.fields.0.type`. */
function fileOf(files: SchemaInFiles['files'], path: string): string {
  const [, kind = '', place = '', rest = ''] = /^document\.(\w+)(?:\.(\d+))?\.?(.*)$/.exec(path) ?? [];
  const file =
    kind === 'locales' ? 'locales.json' : (files as Record<string, readonly string[]>)[kind]?.[Number(place)];
  if (file === undefined) return path;
  return `${file} ${kind === 'locales' && place ? `locales.${place}.${rest}` : rest}`.trim();
}
