import { canonicalFields, withPendingRenames } from './canonical-fields.js';

const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more });

describe('definitions in one form', () => {
  it('have their attributes in a fixed order, at all levels', () => {
    const field = {
      blocks: [{ fields: [{ max: 1, type: 'text', name: 'a' }], name: 'x' }],
      label: 'L',
      type: 'blocks',
      name: 'b',
    };
    expect(JSON.stringify(canonicalFields([field], (name) => name))).toBe(
      '[{"name":"b","type":"blocks","label":"L","blocks":[{"name":"x","fields":[{"name":"a","type":"text","max":1}]}]}]',
    );
  });

  it('name content types as the function says, which gets the key and the place', () => {
    const reference = { name: 'r', type: 'reference', content_types: ['one', 'two'] };
    const fields = [{ name: 'g', type: 'group', fields: [reference] }];
    const asked: unknown[] = [];
    const slugOf = (...input: unknown[]) => `${asked.push(input)}`;
    const [group] = canonicalFields(fields, slugOf);
    expect(group?.fields?.[0]?.content_types).toEqual(['1', '2']);
    expect(asked).toEqual([
      ['one', 'g.r', 0],
      ['two', 'g.r', 1],
    ]);
  });

  it('may be of any shape inside a type that is not known', () => {
    const odd = { name: 'x', type: 'odd', fields: [1], blocks: 'b', content_types: 5, content_type: 7 } as never;
    expect(canonicalFields([odd], (name) => name)).toEqual([odd]);
    expect(withPendingRenames([odd], [])).toEqual([odd]);
  });
});

describe('renamed_from', () => {
  it('stays only where the rename is still to be made', () => {
    const wanted = [text('new', { renamed_from: 'old' })];
    expect(withPendingRenames(wanted, [text('old')])).toEqual(wanted);
    expect(withPendingRenames(wanted, [text('new')])).toEqual([text('new')]);
    expect(withPendingRenames(wanted, [text('new'), text('old')])).toEqual([text('new')]);
    expect(withPendingRenames(wanted, [])).toEqual([text('new')]);
  });

  it('is followed into groups and blocks that are renamed too', () => {
    const inner = [text('b', { renamed_from: 'a' })];
    const before = [
      { name: 'g', type: 'group', fields: [text('a')] },
      { name: 's', type: 'blocks', blocks: [{ name: 'x', fields: [text('a')] }] },
    ];
    const wanted = [
      { name: 'h', type: 'group', renamed_from: 'g', fields: inner },
      {
        name: 's',
        type: 'blocks',
        blocks: [
          { name: 'x', fields: inner },
          { name: 'y', fields: inner },
        ],
      },
    ];
    expect(withPendingRenames(wanted, before)).toEqual([
      wanted[0],
      {
        name: 's',
        type: 'blocks',
        blocks: [
          { name: 'x', fields: inner },
          { name: 'y', fields: [text('b')] },
        ],
      },
    ]);
  });
});
