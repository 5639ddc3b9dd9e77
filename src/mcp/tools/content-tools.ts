import { ContentTypesController } from '../../content/content-types.controller.js';
import { EntriesController } from '../../content/entries/entries.controller.js';
import { MAX_CONDITIONS, MAX_WHERE_LEVELS } from '../../lists/filters/where.js';
import { OPERATOR_NAMES } from '../../lists/filters/operators.js';
import { HistoryController } from '../../content/history/history.controller.js';
import { PIECE_SCHEMA } from '../answers/text-piece.js';
import { operation } from '../operations/operation.js';
import { CONTENT_TYPE_ARGUMENT, ENTRY_ARGUMENT, named, PAGE, READING_ON, type Tool } from './tool.js';

/** Arguments of a tool that finds the content type by the entry. */
export const PATH_OF_ENTRY = {
  content_type_id: { ...CONTENT_TYPE_ARGUMENT, isOptional: true },
  entry_id: ENTRY_ARGUMENT,
};

/** Assistants write an object more safely than JSON in a text. */
const WHERE = {
  type: 'object',
  additionalProperties: true,
  description:
    'Conditions that entries meet: {"title": {"contains": "tide"}, "price": {"gte": 5, "lt": 10}}. The operators are ' +
    `${OPERATOR_NAMES.join(', ')}; a bare value means eq, null finds entries without a value, and in takes a list. {"and": […]}, {"or": […]} and ` +
    `{"not": {…}} combine conditions, up to ${MAX_WHERE_LEVELS} levels and ${MAX_CONDITIONS} conditions. A dotted name looks through a reference: ` +
    'author.name. Beside fields there are id, status, created_at, updated_at and published_at.',
};

/** Tools that read content. */
export const CONTENT_TOOLS: readonly Tool[] = [
  {
    name: 'list_content_types',
    title: 'List content types',
    description:
      'Lists the content types with the definitions of their fields. Begin here: other tools take the slug of a content type.',
    effect: 'reads',
    operation: operation(ContentTypesController, 'list'),
    path: {},
    query: PAGE,
  },
  {
    name: 'get_content_type',
    title: 'Get a content type',
    description: 'Returns one content type with the definitions of its fields: what values an entry may have.',
    effect: 'reads',
    operation: operation(ContentTypesController, 'get'),
    path: { content_type_id: CONTENT_TYPE_ARGUMENT },
    own: READING_ON,
    adds: { piece: PIECE_SCHEMA },
  },
  {
    name: 'search_entries',
    title: 'Search entries',
    description:
      'Finds the entries of a content type by conditions on their fields (where), by full-text search, or both, and sorts them. Long texts are cut; get_entry reads on.',
    effect: 'reads',
    operation: operation(EntriesController, 'list'),
    path: { content_type_id: CONTENT_TYPE_ARGUMENT },
    query: {
      ...named('search', 'where', 'sort', 'include', 'select', 'preview', 'has_draft', 'fuzzy', 'referenced'),
      ...named('locale', 'fallback', 'translated', 'missing', 'behind'),
      ...PAGE,
    },
    own: { where: WHERE },
  },
  {
    name: 'get_entry',
    title: 'Get an entry',
    description:
      'Returns one entry, with include also the entries that it refers to. preview shows it with its draft. With field and offset, returns a piece of a long text instead.',
    effect: 'reads',
    operation: operation(EntriesController, 'get'),
    path: PATH_OF_ENTRY,
    query: named('include', 'select', 'preview', 'locale', 'fallback', 'translated'),
    own: READING_ON,
    adds: { piece: PIECE_SCHEMA },
  },
  {
    name: 'get_history',
    title: 'Get the history of an entry',
    description: 'Lists the versions of an entry, newest first: who changed which fields, and when.',
    effect: 'reads',
    operation: operation(HistoryController, 'listEntryVersions'),
    path: PATH_OF_ENTRY,
    query: PAGE,
  },
];
