import fc from 'fast-check';
import { TenantCache } from './tenant-cache.js';

describe('a cache that tenants share', () => {
  const named = (name: string) => ({ name });

  it('keeps the most recently used values within its limit', () => {
    const cache = new TenantCache<{ name: string }>(100);
    cache.set('a', '1', named('1'), 40);
    cache.set('a', '2', named('2'), 40);
    cache.get('a', '1');
    cache.set('a', '3', named('3'), 40);
    expect(cache.get('a', '2')).toBeUndefined();
    expect(['1', '3'].map((key) => cache.get('a', key)?.name)).toEqual(['1', '3']);
    expect(cache.bytes).toBe(80);
  });

  it('evicts values of the tenant that uses the most', () => {
    const cache = new TenantCache<{ name: string }>(1_000);
    cache.set('small', 'hot', named('hot'), 100);
    for (let index = 0; index < 500; index++) cache.set('large', String(index), named('one of many'), 50);
    expect(cache.get('small', 'hot')).toEqual(named('hot'));
    expect(cache.get('large', '499')).toBeDefined();
    cache.set('new', 'whole', named('whole'), 800);
    expect(cache.get('new', 'whole')).toBeDefined();
    expect(cache.get('small', 'hot')).toBeDefined();
  });

  it('replaces and deletes values, and does not store a value larger than its limit', () => {
    const cache = new TenantCache<{ name: string }>(100);
    cache.set('a', '1', named('old'), 90);
    cache.set('a', '1', named('new'), 60);
    expect([cache.get('a', '1'), cache.bytes]).toEqual([named('new'), 60]);
    cache.set('a', '1', named('huge'), 101);
    expect([cache.get('a', '1'), cache.bytes]).toEqual([undefined, 0]);
    cache.delete('a', '1');
    expect(cache.bytes).toBe(0);
  });

  it('counts exactly the bytes that it holds, and never exceeds its limit', () => {
    const operations = fc.array(
      fc.tuple(
        fc.constantFrom('set', 'get', 'delete'),
        fc.constantFrom('a', 'b', 'c'),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 70 }),
      ),
    );
    fc.assert(
      fc.property(operations, (all) => {
        const cache = new TenantCache<{ size: number }>(100);
        for (const [what, tenant, key, size] of all) {
          if (what === 'set') cache.set(tenant, String(key), { size: Math.max(1, size) }, size);
          else if (what === 'get') cache.get(tenant, String(key));
          else cache.delete(tenant, String(key));
          expect(cache.bytes).toBeLessThanOrEqual(100);
        }
        let held = 0;
        for (const tenant of ['a', 'b', 'c']) {
          for (let key = 0; key < 10; key++) held += cache.get(tenant, String(key))?.size ?? 0;
        }
        expect(cache.bytes).toBe(held);
      }),
    );
  });
});
