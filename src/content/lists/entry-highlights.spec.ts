import fc from 'fast-check';
import { runAtOnce } from '../../admission/sliced-work.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { Schema } from '../../fields/schema.js';
import { Highlighter } from '../../search/highlighter.js';
import { readSearch } from '../../search/search-query.js';
import { readWords } from '../../search/words.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { EntryHighlights } from './entry-highlights.js';

const FIELDS: FieldDefinition[] = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'tags', type: 'text', multiple: true },
];
const schema = Schema.compile(FIELDS, 'content');

async function highlightsOf(search: string, ...entries: object[]): Promise<Record<string, string[]>[]> {
  const highlights = new EntryHighlights(schema, { of: () => new Highlighter(readSearch(search) ?? []) }, 'share');
  const rows = entries.map((values, index) => ({
    id: String(index),
    fields: JSON.stringify(values),
    status: 'published' as const,
    createdAt: '',
    updatedAt: '',
  }));
  return (await highlights.of(rows)).map((json) => JSON.parse(json) as Record<string, string[]>);
}

describe('highlights of entries', () => {
  it('are one object for each row, in order', async () => {
    const entries = [{ title: 'a' }, { title: 'b' }, {}, { title: null, tags: ['b', 'a b', 'a'] }];
    expect(await highlightsOf('a', ...entries)).toEqual([
      { title: ['<mark>a</mark>'] },
      {},
      {},
      { tags: ['<mark>a</mark> b', '<mark>a</mark>'] },
    ]);
    expect(await highlightsOf('-a', ...entries)).toEqual([{}, {}, {}, {}]);
    expect(await highlightsOf('a')).toEqual([]);
  });

  it('show the text of HTML with single spaces, and other text as it is', async () => {
    const text = '\n<h1>A\n title </h1>\n\n<p>  and  a&nbsp;text\t</p><p>end</p>';
    expect(await highlightsOf('text', { body: text })).toEqual([
      { body: ['A title and a\u00a0<mark>text</mark> end'] },
    ]);
    expect(await highlightsOf('text', { title: ' a  \n text ' })).toEqual([{ title: ['a  \n <mark>text</mark>'] }]);
  });

  it('ignore values that the schema does not have', async () => {
    expect(await highlightsOf('a', { other: 'a', title: 'b' })).toEqual([{}]);
  });

  it('mark every word that search reads of HTML', async () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'é',
        'C++',
        '.net',
        'r&amp;d',
        ' ',
        '\n',
        '&nbsp;',
        '<p>',
        '</p>',
        '<h2>',
        '</h2>',
        '<b>',
        '</b>',
        '<br>',
      ],
      ...[
        '<a href="x/y">',
        '</a>',
        '<img alt="a b">',
        '<script>',
        '</script>',
        '日本',
        '😀',
        '\u00ad',
        '&#x301;',
        '<',
        '&',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const body = pieces.join('');
        const words = new Set<string>();
        for (const line of runAtOnce(schema.searchLines({ body }))) {
          for (const { text } of line) {
            runAtOnce(readWords(text, { word: (word) => words.add(word), name: (name) => words.add(name) }));
          }
        }
        for (const word of words) {
          const [found] = await highlightsOf(`"${word}"`, { body });
          expect(found?.['body']?.[0]).toContain('<mark>');
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
