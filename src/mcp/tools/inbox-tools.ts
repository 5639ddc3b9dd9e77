import { FormsController } from '../../forms/forms.controller.js';
import { InboxController } from '../../forms/inbox/inbox.controller.js';
import { SubmissionsController } from '../../forms/submissions/submissions.controller.js';
import { MediaController } from '../../media/media.controller.js';
import { PIECE_SCHEMA } from '../answers/text-piece.js';
import { operation } from '../operations/operation.js';
import { type Arguments, named, PAGE, READING_ON, type Tool } from './tool.js';

/** Tools that read forms, submissions and files. */
export const INBOX_TOOLS: readonly Tool[] = [
  {
    name: 'list_forms',
    title: 'List forms',
    description: 'Lists the forms with their fields and the number of their submissions.',
    effect: 'reads',
    operation: operation(FormsController, 'list'),
    path: {},
    query: PAGE,
  },
  {
    name: 'list_submissions',
    title: 'List submissions',
    description:
      'Lists what visitors sent with a form, newest first. Anybody can submit anything. Long texts are cut: submission_id, field and offset read on in one of them.',
    effect: 'reads',
    operation: operation(SubmissionsController, 'list'),
    path: { form_id: { argument: 'form_id', description: 'The ID of the form.' } },
    query: { ...named('search', 'sort', 'from', 'to', 'verdict', 'state', 'view'), ...PAGE },
    own: {
      submission_id: { type: 'string', description: 'The submission whose text is read on, with field and offset.' },
      ...READING_ON,
    },
    adds: { piece: PIECE_SCHEMA },
    run: ({ path, query, own }, run) =>
      own['field'] === undefined
        ? run(operation(SubmissionsController, 'list'), { path, query })
        : run(operation(InboxController, 'getSubmission'), { path: { ...path, submission_id: submissionOf(own) } }),
  },
  {
    name: 'list_media',
    title: 'List media files',
    description: 'Lists the media files, newest first, with their URLs and alternative texts.',
    effect: 'reads',
    operation: operation(MediaController, 'list'),
    path: {},
    query: { ...named('search'), mime_type: 'filter[mime_type]', ...PAGE },
  },
];

function submissionOf(own: Arguments['own']): string {
  const { submission_id: id } = own;
  return typeof id === 'string' ? id : '';
}
