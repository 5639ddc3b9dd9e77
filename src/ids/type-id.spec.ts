import fc from 'fast-check';
import { formatId, newUuid, parseId, timeOf } from './type-id.js';

describe('TypeIDs', () => {
  it('match the test vectors of the TypeID specification', () => {
    expect(formatId('ent', '00000000-0000-0000-0000-000000000000')).toBe('ent_00000000000000000000000000');
    expect(formatId('ent', '00000000-0000-0000-0000-000000000020')).toBe('ent_00000000000000000000000010');
    expect(formatId('ent', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ent_7zzzzzzzzzzzzzzzzzzzzzzzzz');
    expect(formatId('ent', '0110c853-1d09-52d8-d73e-1194e95b5f19')).toBe('ent_0123456789abcdefghjkmnpqrs');
    expect(formatId('ent', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('ent_01h455vb4pex5vsknk084sn02q');
  });

  it('are decoded to the UUID that they were encoded from', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => parseId('wh', formatId('wh', uuid)) === uuid));
  });

  it('with another prefix, length or alphabet, or with more than 128 bits, are refused', () => {
    const id = formatId('ent', newUuid());
    expect(parseId('ct', id)).toBeUndefined();
    expect(parseId('ent', id + '0')).toBeUndefined();
    expect(parseId('ent', id.toUpperCase())).toBeUndefined();
    expect(parseId('ent', 'ent_8zzzzzzzzzzzzzzzzzzzzzzzzz')).toBeUndefined();
    expect(parseId('ent', 'ent_0000000000000000000000000u')).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => parseId('ent', text) === undefined));
  });

  it('sort by their time of creation', () => {
    const before = Date.now();
    const ids = Array.from({ length: 1000 }, newUuid);
    expect([...ids].sort()).toEqual(ids);
    expect(timeOf(ids[0] ?? '').getTime()).toBeGreaterThanOrEqual(before);
  });
});
