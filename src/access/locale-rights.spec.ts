import { allowsLocales, commonLocales } from './locale-rights.js';

describe('locales', () => {
  const scopes = ['content:write@post'];

  it('may be given only by somebody who may change all of them', () => {
    expect(allowsLocales(undefined, { scopes })).toBe(true);
    expect(allowsLocales(new Set(['de', 'fr']), { scopes, locales: ['de'] })).toBe(true);
    expect(allowsLocales(new Set(['de']), { scopes, locales: ['de', 'fr'] })).toBe(false);
    expect(allowsLocales(new Set(['de']), { scopes, locales: null })).toBe(false);
    expect(allowsLocales(new Set(), { scopes, locales: ['de'] })).toBe(false);
  });

  it.each(['*', 'write', 'content:write', 'content:draft', 'content:draft@post'])('limit the scope %s', (scope) => {
    expect(allowsLocales(new Set(['de']), { scopes: ['forms:read', scope] })).toBe(false);
  });

  it('limit no scope that changes no content', () => {
    const reading = ['read', 'content:read', 'forms:write'];
    expect(allowsLocales(new Set(['de']), { scopes: reading })).toBe(true);
    expect(allowsLocales(new Set(['de']), { scopes: reading, locales: ['de'] })).toBe(true);
    expect(allowsLocales(new Set(['de']), { scopes: reading, locales: ['de', 'fr'] })).toBe(false);
  });

  it('of a key and of a role allow what both allow', () => {
    expect(commonLocales(null, undefined)).toBeUndefined();
    expect(commonLocales(['de'], null)).toEqual(['de']);
    expect(commonLocales(undefined, ['fr'])).toEqual(['fr']);
    expect(commonLocales(['de', 'fr'], ['fr', 'it'])).toEqual(['fr']);
    expect(commonLocales(['de'], ['fr'])).toEqual([]);
  });
});
