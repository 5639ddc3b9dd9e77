import { FormsController } from '../../forms/forms.controller.js';
import { InboxController } from '../../forms/inbox/inbox.controller.js';
import { SubmissionsController } from '../../forms/submissions/submissions.controller.js';
import { Problem } from '../../errors/problem.js';
import { MediaController } from '../../media/media.controller.js';
import { PIECE_SCHEMA } from '../answers/text-piece.js';
import { operation, type Operation } from '../operations/operation.js';
import { type Arguments, named, PAGE, READING_ON, type Tool } from './tool.js';

/** Tools that read forms, submissions and files. */
export const INBOX_TOOLS: readonly Tool[] = [
  {
    name: 'list_forms',
    title: 'List forms',
    description:
      'Lists the forms with their fields and the number of their submissions. form_id, field and offset read on in a definition that was cut.',
    effect: 'reads',
    operation: operation(FormsController, 'list'),
    path: {},
    query: PAGE,
    own: {
      form_id: { type: 'string', description: 'The form whose value is read on, with field and offset.' },
      ...READING_ON,
    },
    adds: { piece: PIECE_SCHEMA },
    run: readingOn(operation(FormsController, 'list'), operation(FormsController, 'get'), 'form_id'),
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
    run: readingOn(
      operation(SubmissionsController, 'list'),
      operation(InboxController, 'getSubmission'),
      'submission_id',
    ),
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

/** Lists, or with `field`, gets the one record that the argument names. Throws a 400 if a record is named without a field, or a field without one. */
function readingOn(list: Operation, get: Operation, argument: string): NonNullable<Tool['run']> {
  return ({ path, query, own }: Arguments, run) => {
    const id = own[argument];
    const isReadingOn = own['field'] !== undefined;
    if (!isReadingOn && id === undefined) return run(list, { path, query });
    if (!isReadingOn) throw Problem.parameter('field', `${argument} needs field.`);
    if (typeof id !== 'string') throw Problem.parameter(argument, `field needs ${argument}, which is a string.`);
    return run(get, { path: { ...path, [argument]: id } });
  };
}
