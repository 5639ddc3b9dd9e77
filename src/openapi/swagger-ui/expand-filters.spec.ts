import { runInNewContext } from 'node:vm';
import { expandFilters } from './expand-filters.js';

const expand = (query: string) => expandFilters({ url: `/entries?${query}` }).url;

describe('filters of Swagger UI', () => {
  it('become one parameter for each operator', () => {
    const query = `page=1&filter%5Bstatus%5D=published&filter%5Btitle%5D=${encodeURIComponent('{"contains":"a b","ne":1}')}`;
    expect(expand(query)).toBe(
      '/entries?page=1&filter%5Bstatus%5D=published&filter%5Btitle%5D%5Bcontains%5D=a+b&filter%5Btitle%5D%5Bne%5D=1',
    );
  });

  it('do not change any other parameter or value', () => {
    for (const query of ['search=%7B%22a%22%3A1%7D', 'filter%5Ba%5D=%7B', 'filter%5Ba%5D=5', 'filter%5Ba%5D=true']) {
      expect(expand(query)).toBe(`/entries?${query}`);
    }
    expect(expandFilters({ url: '/entries' }).url).toBe('/entries');
  });

  it('are expanded by a function that refers to nothing outside itself', () => {
    const alone = runInNewContext(`(${expandFilters.toString()})`, { URLSearchParams }) as typeof expandFilters;
    expect(alone({ url: '/a?filter[b]={"gt":1}' }).url).toBe('/a?filter%5Bb%5D%5Bgt%5D=1');
  });
});
