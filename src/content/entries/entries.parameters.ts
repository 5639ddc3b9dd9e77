import type { Parameter } from '../../http/parameters.js';
import { translatedParameter, untranslatedParameters } from '../lists/locale-view.js';
import { localeParameters } from '../locales/locale-request.js';
import { shapeParameter } from '../reading/shape.js';
import { operatorRows } from '../../lists/filters/operators.js';
import { MAX_CONDITIONS, MAX_WHERE_LEVELS } from '../../lists/filters/where.js';
import { filterParameter, searchParameter } from '../../lists/list-request.js';

const FILTER_DESCRIPTION = `Send \`filter[field]=value\` or \`filter[field][operator]=value\`. Several filters are combined with AND. At most 20
filters are allowed. OpenAPI cannot describe the second form: on this page and in generated clients, write
\`{"status": "published"}\` here, and send conditions with operators as \`where\`.

| Operator | Matches entries whose value |
|---|---|
${operatorRows()}

Filter values are read by the type of the field. All fields except \`json\` fields can be filtered (a \`media\` field by its URL, a
\`reference\` field by the ID of the entry). A field of a single group has a dotted name (\`filter[seo.title]=x\`); what is in a
list of groups or in blocks cannot be filtered. \`id\`, \`status\`, \`created_at\`, \`updated_at\` and \`published_at\` can be filtered too. A field with \`multiple\`
matches when one of its values matches. A dotted name of a reference looks through it at a field of the entry: \`filter[author.name]=Ada\`.`;

const WHERE_DESCRIPTION = `Conditions as the text of a JSON object: \`{"title": {"contains": "tide"}, "price": {"gte": 5, "lt": 10}}\`. An entry
must meet all of them, and all filters. In a program, send \`JSON.stringify(conditions)\`.

- \`{"field": {"operator": value}}\` has the operators of \`filter\`, and \`{"field": value}\` means \`eq\`. Values have the JSON type of
  the field: numbers and booleans are not written as strings. \`in\` takes a list. \`{"field": null}\` finds entries without the value.
- \`{"and": […]}\` and \`{"or": […]}\` take lists of such objects, and \`{"not": {…}}\` takes one. They can be nested in each other, up to
  ${MAX_WHERE_LEVELS} levels. \`{}\` matches all entries.
- A dotted name looks through one reference: \`{"author.name": {"contains": "ada"}}\`.
- At most ${MAX_CONDITIONS} conditions are allowed, together with those of \`filter\`.

Example: \`where={"or": [{"kind": {"in": ["news", "blog"]}}, {"not": {"author": null}}]}\`, percent-encoded.`;

const SEARCH_DESCRIPTION = `Full-text search in texts, numbers, the targets of links and the alternative texts of images. An entry must contain
all words. Without \`sort\`, the best match comes first: in the title, in headings, then in the rest.

- \`"a phrase"\`, \`-not\`, \`or\` and \`beginning*\` are supported. Words joined by signs (\`state-of-the-art\`) are a phrase.
- Case and accents are ignored. \`C++\`, \`C#\`, \`.NET\`, \`R&D\` and emoji are words. If the content type has a
  \`language\`, words are found by their stems too.
- Everything else is read as words, so that no search is invalid.
- With \`locale\`, the search looks at what is shown in it, and localized fields have the stems of its language.

Example: \`search="spring tide" -moon\`.`;

/** Shows entries with the values of their drafts. */
const previewParameter: Parameter = {
  name: 'preview',
  schema: { type: 'boolean' },
  description:
    'With `true`, each entry is shown with the values of its draft on top of the live ones. Filters, sorting and search still ' +
    'look at the live values. Needs a key that can read drafts.',
};

/** Parameters that say what is shown of an entry, and with it. */
export const readingParameters: Parameter[] = [
  {
    name: 'include',
    schema: { type: 'string' },
    allowEmptyValue: true,
    description:
      'Adds the entries that these reference fields lead to, as `included`: an object from the ID of each entry to the entry. Up to 10 ' +
      'paths of up to 3 references, separated by commas: `include=author,author.company`. A reference inside a group or blocks has the ' +
      'names around it, without those of blocks: `include=sections.author`. Entries that were deleted or that the key cannot ' +
      'read are missing. More than 1,000 entries or 16 MiB are 400. A response with `include` is never 304. The name of a media field ' +
      '(`include=cover,author.photo`) shows its values in full, as `view=full` does with all.',
  },
  {
    name: 'select',
    schema: { type: 'string' },
    allowEmptyValue: true,
    description:
      'Keeps only these fields in `fields`, separated by commas: `select=title,author`; groups and blocks are kept whole. An empty `select` keeps none. A dotted name selects ' +
      'in included entries: `select=title,author.name`. Included entries of which nothing is selected are whole.',
  },
];

export const incompleteParameter: Parameter = {
  name: 'incomplete',
  schema: { type: 'boolean' },
  description:
    'With `true`, required values may be missing, also inside groups and blocks; everything else is checked. The entry must have the status ' +
    '`draft`, otherwise the response is 400. It cannot be published until the values are there.',
};

/** The parameters of one entry. */
export const oneEntryParameters: Parameter[] = [
  previewParameter,
  ...localeParameters,
  translatedParameter,
  ...readingParameters,
  shapeParameter,
];

/** The parameters of the entry list, except those of the page. */
export const entryListParameters: Parameter[] = [
  {
    name: 'sort',
    schema: { type: 'string' },
    description:
      'At most three names, separated by commas. A leading `-` sorts in descending order. The names can be ' +
      'fields of the content type (except `media`, `json`, `group` and `blocks` fields), fields of single groups (`seo.title`), `created_at`, `updated_at`, `published_at`, `status` and ' +
      '`id`. Entries without a value come last. Ties are broken by `id`. The default is `-created_at`, or best ' +
      'match first with `search`. Example: `sort=-published_on,title`.',
  },
  filterParameter(FILTER_DESCRIPTION),
  {
    name: 'where',
    schema: { type: 'string' },
    description: WHERE_DESCRIPTION,
  },
  searchParameter(SEARCH_DESCRIPTION),
  {
    name: 'referenced',
    schema: { type: 'boolean' },
    description:
      'With `true`, `search` also finds its words in the titles of the entries that an entry refers to. A title is the first ' +
      '`text` field of a content type. Entries that match by their own words come first, best match first; then the others, ' +
      'newest first. Without `search`, the response is 400. It is also 400 if the search is too broad: if its words ' +
      'are in more than 5,000 titles, or if it has very many words.',
  },
  {
    name: 'highlight',
    schema: { type: 'boolean' },
    description:
      'With `true`, each entry has `highlights`, which shows where it matches `search`: `{"field": ["… a <mark>match</mark> …"]}`. ' +
      'Each field that matches has up to three fragments of about 160 characters, as HTML in which everything but `<mark>` is ' +
      'escaped. Without `search`, the response is 400.',
  },
  {
    name: 'fuzzy',
    schema: { type: 'boolean' },
    description:
      'With `true`, a `search` of one to five words that finds nothing is corrected: words are replaced by words of the entries ' +
      'that differ by one edit, or by two from eight characters on. `meta.corrected` is then the search that was used. A search ' +
      'that finds something is not changed. Without `search`, the response is 400.',
  },
  {
    name: 'has_draft',
    schema: { type: 'boolean' },
    description: 'Keeps only entries with a draft (`true`) or without one (`false`). Needs a key that can read drafts.',
  },
  previewParameter,
  ...localeParameters,
  translatedParameter,
  ...untranslatedParameters,
  ...readingParameters,
  shapeParameter,
];
