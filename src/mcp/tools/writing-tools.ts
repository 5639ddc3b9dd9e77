import { BulkController } from '../../content/bulk/bulk.controller.js';
import { DraftsController } from '../../content/drafts/drafts.controller.js';
import { ReviewsController } from '../../content/drafts/reviews.controller.js';
import { EntriesController } from '../../content/entries/entries.controller.js';
import { Problem } from '../../errors/problem.js';
import type { ToolAnswer } from '../answers/answer.js';
import type { Run } from '../answers/operation-answers.js';
import { operation } from '../operations/operation.js';
import { PATH_OF_ENTRY } from './content-tools.js';
import { type Arguments, CONTENT_TYPE_ARGUMENT, named, type Tool } from './tool.js';
import { VALIDITY_SCHEMA, validate } from './validation.js';

const CREATE = operation(EntriesController, 'create');
const UPDATE = operation(EntriesController, 'update');
const SAVE_DRAFT = operation(DraftsController, 'save');
const PUBLISH_DRAFT = operation(DraftsController, 'publish');

/** Tools of keys that may write. */
export const WRITING_TOOLS: readonly Tool[] = [
  {
    name: 'create_entry',
    title: 'Create a draft entry',
    description: 'Creates an entry with the status draft. It is not published: people do that, after request_review.',
    effect: 'writes drafts',
    operation: CREATE,
    path: { content_type_id: CONTENT_TYPE_ARGUMENT },
    query: named('incomplete', 'locale'),
    body: ['fields'],
    run: ({ path, query, body }, run) => run(CREATE, { path, query, body, draftsOnly: true }),
  },
  {
    name: 'update_entry',
    title: 'Change a draft',
    description:
      'Changes fields of an entry that is not published. Of a published entry, saves the values in its draft; what is live stays as it is.',
    effect: 'writes drafts',
    operation: UPDATE,
    others: [SAVE_DRAFT],
    path: PATH_OF_ENTRY,
    query: named('locale'),
    body: ['fields'],
    run: updateDraft,
  },
  {
    name: 'validate_entry',
    title: 'Check an entry',
    description:
      'Checks whether create_entry would take these fields, or with entry_id, whether update_entry would. Changes nothing. With the status published, checks whether the entry could be published with them.',
    effect: 'reads',
    operation: operation(BulkController, 'changeEntries'),
    path: { content_type_id: CONTENT_TYPE_ARGUMENT },
    own: {
      entry_id: { type: 'string', description: 'The entry that would be changed. Without it, one would be created.' },
      fields: { type: 'object', additionalProperties: true, description: 'Field values by field name.' },
      locale: { type: 'string', description: 'The locale of the values, as create_entry and update_entry take it.' },
      status: { type: 'string', enum: ['draft', 'published'], description: 'The status that the entry would have.' },
    },
    data: VALIDITY_SCHEMA,
    run: validate,
  },
  {
    name: 'request_review',
    title: 'Ask for a review',
    description: 'Marks the draft of an entry, or an entry that is not published, as ready for review by people.',
    effect: 'writes drafts',
    operation: operation(ReviewsController, 'request'),
    path: PATH_OF_ENTRY,
    body: ['note'],
    run: ({ path, body }, run) => run(operation(ReviewsController, 'request'), { path, body, draftsOnly: true }),
  },
  {
    name: 'publish_entry',
    title: 'Publish an entry',
    description:
      'Makes the draft of an entry live, or publishes an entry that is not published. Everybody who reads the content sees it at once.',
    effect: 'changes what is live',
    operation: PUBLISH_DRAFT,
    others: [UPDATE],
    path: PATH_OF_ENTRY,
    query: named('locale'),
    run: publish,
  },
  {
    name: 'delete_entry',
    title: 'Delete an entry',
    description: 'Permanently deletes an entry with its draft and its history. This cannot be undone.',
    effect: 'changes what is live',
    operation: operation(EntriesController, 'delete'),
    path: PATH_OF_ENTRY,
  },
];

/** Whether the entry is published is decided where it is written: an update that would change what is live is refused. */
async function updateDraft({ path, query, body }: Arguments, run: Run): Promise<ToolAnswer> {
  const asked = { path, query, body, draftsOnly: true };
  try {
    return await run(UPDATE, asked);
  } catch (error) {
    if (!isProblem(error, 'forbidden')) throw error;
    return run(SAVE_DRAFT, asked);
  }
}

/** Only an entry as a whole has a status. */
async function publish({ path, query }: Arguments, run: Run): Promise<ToolAnswer> {
  try {
    return await run(PUBLISH_DRAFT, { path, query });
  } catch (error) {
    if (query['locale'] !== undefined || !isProblem(error, 'not_found')) throw error;
    return run(UPDATE, { path, body: { status: 'published' } });
  }
}

function isProblem(error: unknown, code: Problem['code']): boolean {
  return error instanceof Problem && error.code === code;
}
