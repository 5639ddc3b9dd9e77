import { BulkController } from '../../content/bulk/bulk.controller.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { ToolAnswer } from '../answers/answer.js';
import { operation } from '../operations/operation.js';
import type { Run } from '../answers/operation-answers.js';
import type { Arguments } from './tool.js';

/** The paths of errors of the only operation. */
const PREFIX = /^operations\.0\./;

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

/** Lets the bulk endpoint try the change, which it does as the single request would. */
export async function validate({ path, own }: Arguments, run: Run): Promise<ToolAnswer> {
  const { entry_id: entryId, fields, status } = own;
  const given = Object.fromEntries(Object.entries({ fields, status }).filter(([, value]) => value != null));
  const operations = [
    {
      op: entryId == null ? 'create' : 'update',
      content_type: path['content_type_id'],
      ...(entryId != null && { entry_id: entryId }),
      ...given,
    },
  ];
  try {
    await run(operation(BulkController, 'changeEntries'), { body: { operations, dry_run: true } });
    return { data: { valid: true } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors?.map(ofSingle);
    if (error.code === 'validation_failed')
      return { data: { valid: false, detail: error.detail, errors: errors ?? [] } };
    throw new Problem(error.code, error.detail, errors, error.headers, error.members);
  }
}

function ofSingle({ path, code, message }: ValueError): ValueError {
  return { path: path.replace(PREFIX, ''), code, message: message.replace(PREFIX, '') };
}
