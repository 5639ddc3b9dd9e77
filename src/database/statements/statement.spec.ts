import { declaredStatements, serviceStatement, statement } from './statement.js';

describe('a statement', () => {
  const find = statement<{ typeId: string; ids: string[]; limit: number }, { id: string }>()(
    'test.find',
    `SELECT id FROM things WHERE type_id = :typeId::uuid AND tenant_id = :tenantId AND id = ANY (:ids::uuid[])
      AND other = :typeId LIMIT :limit`,
  );

  it('binds the tenant as $1, and the other parameters in the order of their first use', () => {
    expect(find.text).toContain(
      'type_id = $2::uuid AND tenant_id = $1 AND id = ANY ($3::uuid[])\n      AND other = $2 LIMIT $4',
    );
    expect(find.bind('ten_a', { limit: 5, ids: ['b'], typeId: 'a' })).toEqual(['ten_a', 'a', ['b'], 5]);
  });

  it('binds null and refuses undefined', () => {
    const one = statement<{ value: string | null }, unknown>()('test.one', 'SELECT :tenantId, :value');
    expect(one.bind('ten_a', { value: null })).toEqual(['ten_a', null]);
    const missing = {} as { value: string };
    expect(() => one.bind('ten_a', missing)).toThrow('The statement test.one needs a value for :value.');
  });

  it('without :tenantId is refused', () => {
    expect(() => statement<{ id: string }, unknown>()('test.all', 'SELECT :id')).toThrow('does not use :tenantId');
  });

  it('with wrong names does not compile', () => {
    // @ts-expect-error -- misspelt in the text
    statement<{ id: string }, unknown>()('test.wrong_0', 'SELECT :tenantId, :ids');
    // @ts-expect-error -- not used in the text
    statement<{ id: string; more: string }, unknown>()('test.wrong_1', 'SELECT :tenantId, :id');
    const part = 'x' as string;
    // @ts-expect-error -- misspelt beside a part that is known at run time only
    statement<{ id: string }, unknown>()('test.wrong_2', `SELECT ${part}, :tenantId, :ids`);
    // @ts-expect-error -- about all tenants, so there is no tenant to bind
    serviceStatement<{ id: string }, unknown>()('test.wrong_3', 'SELECT :tenantId, :id');
    expect(() => {
      // @ts-expect-error -- a parameter is missing
      find.bind('ten_a', { typeId: 'a', limit: 5 });
    }).toThrow(':ids');
    // @ts-expect-error -- two parameters are swapped
    find.bind('ten_a', { typeId: ['a'], ids: 'b', limit: 5 });
  });

  it('has a name of its own', () => {
    const declare = (text: string) => serviceStatement<object, unknown>()('test.twice', text);
    declare('SELECT 1');
    expect(() => declare('SELECT 2')).toThrow('Two statements are named test.twice.');
    expect(declaredStatements()).toContainEqual({ name: 'test.twice', text: 'SELECT 1', isOfTenant: false });
  });

  it('keeps casts and upper-case format letters as they are', () => {
    const text = `SELECT to_char(now(), 'HH24:MI'), 1::text, :tenantId::text`;
    expect(statement<object, unknown>()('test.casts', text).text).toBe(text.replace(':tenantId', '$1'));
  });

  it('of the service binds no tenant', () => {
    const all = serviceStatement<{ before: string }, unknown>()('test.old', 'SELECT id FROM things WHERE id < :before');
    expect(all).toMatchObject({ text: 'SELECT id FROM things WHERE id < $1' });
    expect(all.bind({ before: 'x' })).toEqual(['x']);
  });
});
