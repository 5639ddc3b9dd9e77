import { BulkController } from '../../content/bulk/bulk.controller.js';
import { Problem, type ProblemCode, type ValueError } from '../../errors/problem.js';
import type { ToolAnswer } from '../answers/answer.js';
import { operation } from '../operations/operation.js';
import type { Run } from '../answers/operation-answers.js';
import { shownErrors } from '../protocol/tool-result.js';
import type { Arguments } from './tool.js';

/** The schema of the result. */
export const VALIDITY_SCHEMA = {
  type: 'object',
  properties: {
    valid: { type: 'boolean' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'code', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['valid'],
  additionalProperties: false,
};

/** What the bulk endpoint answers for an operation that would fail. */
interface Refusal {
  code: ProblemCode;
  detail: string;
  errors?: ValueError[];
}

/** Lets the bulk endpoint try the change. It checks an update of a published entry as one of its draft. */
export async function validate({ path, own }: Arguments, run: Run): Promise<ToolAnswer> {
  const op = own['entry_id'] === undefined ? 'create' : 'update';
  const tried = { op, content_type: path['content_type_id'], ...own };
  const body = { operations: [tried], atomic: false, dry_run: true };
  const { data } = await run(operation(BulkController, 'changeEntries'), { body, draftsOnly: true });
  const [{ problem } = {}] = data as { problem?: Refusal }[];
  if (!problem) return { data: { valid: true } };
  const { code, detail, errors } = problem;
  if (code !== 'validation_failed') throw new Problem(code, detail, errors);
  return { data: { valid: false, detail, errors: shownErrors(errors ?? []) } };
}
