import type { Parameter } from '../../lists/parameters.js';
import { OPERATORS } from './entry-filters.js';

const FILTER_DESCRIPTION = `\`filter[field]=value\` or \`filter[field][operator]=value\`; several are ANDed, 20 at most. Here, write for example
\`{"status": "published", "title": {"contains": "tide"}}\`.

| Operator | Matches entries whose value |
|---|---|
| \`eq\` (also without operator) | is exactly this |
| \`ne\` | is another, or that have none |
| \`in\` | is one of a comma-separated list |
| \`lt\` \`lte\` \`gt\` \`gte\` | comes before or after; text as it sorts |
| \`contains\` \`starts_with\` | has this text in it, or in front; case does not matter, \`%\` and \`_\` are plain characters |
| \`exists\` | is there (\`true\`) or is not (\`false\`) |

Values are read by the field's type. Any field but \`json\` can be filtered (a \`media\` by its url, a \`reference\` by the entry's id), and
\`id\`, \`status\`, \`created_at\`, \`updated_at\`. A \`multiple\` field matches when one of its values does.`;

/** What the list of entries takes beside the page. */
export const entryListParameters: Parameter[] = [
  {
    name: 'sort',
    schema: { type: 'string' },
    description:
      'Up to three names, comma-separated, a leading `-` for descending: fields of the type (not `media` or `json`), `created_at`, ' +
      '`updated_at`, `status`, `id`. Entries without the value come last; ties are broken by id. Default `-created_at`, or best match first ' +
      'with `search`. For example `sort=-published_on,title`.',
  },
  {
    name: 'filter',
    parameter: 'filter[',
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      additionalProperties: {
        oneOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: Object.fromEntries(OPERATORS.map((operator) => [operator, { type: 'string' }])),
          },
        ],
      },
      // What Swagger UI begins with: nothing is filtered.
      example: {},
    },
    description: FILTER_DESCRIPTION,
  },
  {
    name: 'search',
    schema: { type: 'string', maxLength: 512 },
    description:
      'Full-text search over every text-like field, HTML tags not counted: words are ANDed; `"a phrase"`, `-not` and `or` are ' +
      'understood; case and accents are ignored. For example `search="spring tide" -moon`.',
  },
];
