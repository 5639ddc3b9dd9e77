import { conflictOf, covers, isScope, readNarrowedScope } from './scopes.js';

const ID = 'ct_01k9mzh6xze3n8mqsd5wkxp2zt';

describe('a scope', () => {
  it.each([
    ['content:read@post', { scope: 'content:read', type: 'post' }],
    ['content:read:published@blog-post', { scope: 'content:read:published', type: 'blog-post' }],
    ['content:draft@post', { scope: 'content:draft', type: 'post' }],
    [`content:write@${ID}`, { scope: 'content:write', type: ID }],
    [`content:write@${'a'.repeat(100)}`, { scope: 'content:write', type: 'a'.repeat(100) }],
  ])('%s is limited to a content type', (text, expected) => {
    expect(readNarrowedScope(text)).toEqual(expected);
  });

  it.each([
    'content:read',
    '*@post',
    'read@post',
    'forms:read@post',
    'keys:write@post',
    'content:read@',
    'content:read@Post',
    'content:read@a--b',
    'content:read@post@page',
    'content:read@post\n',
    `content:write@${'a'.repeat(101)}`,
    'content:read@ct_short',
  ])('%j is not limited to a content type', (text) => {
    expect(readNarrowedScope(text)).toBeUndefined();
  });

  it('exists if it is known, or limits a known one', () => {
    const known = ['*', 'content:read', 'forms:read'];
    expect(['*', 'forms:read', 'content:read@post'].every((scope) => isScope(scope, known))).toBe(true);
    expect(['content:write@post', 'forms:read@post', '', 'nope'].some((scope) => isScope(scope, known))).toBe(false);
  });

  it.each<[string[], string, boolean]>([
    [['*'], '*', true],
    [['*'], 'keys:write', true],
    [['*'], 'content:write@post', true],
    [['read', 'write'], '*', false],
    [['read', 'write', 'keys:write'], '*', false],
    [['read', 'write'], 'keys:write', false],
    [['keys:write'], 'keys:write', true],
    [['keys:write'], 'read', false],
    [['write'], 'forms:write', true],
    [['write'], 'forms:read', false],
    [['read'], 'content:read:published', true],
    [['read'], 'content:read:published@post', true],
    [['read'], 'write', false],
    [['content:read'], 'read', false],
    [['content:read'], 'content:read@post', true],
    [['content:read'], 'content:read:published@post', true],
    [['content:read:published'], 'content:read@post', false],
    [['content:read:published'], 'content:read:published@post', true],
    [['content:read@post'], 'content:read', false],
    [['content:read@post'], 'content:read@page', false],
    [['content:read@post'], 'content:read:published@post', true],
    [['content:read@post'], 'content:write@post', false],
    [['content:read:published@post'], 'content:read@post', false],
    [['forms:read'], 'media:read', false],
    [['write'], 'content:draft', true],
    [['content:write'], 'content:draft', true],
    [['content:write'], 'content:draft@post', true],
    [['content:write@post'], 'content:draft@post', true],
    [['content:write@post'], 'content:draft@page', false],
    [['content:write@post'], 'content:draft', false],
    [['content:draft'], 'content:draft@post', true],
    [['content:draft'], 'content:write', false],
    [['content:draft'], 'content:write@post', false],
    [['content:draft@post'], 'content:write@post', false],
    [['content:draft@post'], 'content:draft', false],
    [['content:read'], 'content:draft', false],
    [['read'], 'content:draft', false],
  ])('of %j covers %s: %s', (own, wanted, expected) => {
    expect(covers(new Set(own), wanted)).toBe(expected);
  });

  it('that reads drafts of a type does not go with one that reads published entries only', () => {
    expect(conflictOf(['content:read@post', 'content:read:published@page'])).toContain('two keys');
    expect(conflictOf(['content:read@post', 'content:read:published'])).toContain('two keys');
    expect(conflictOf(['content:read@post', 'content:read@page', 'content:write'])).toBeUndefined();
    expect(conflictOf(['content:read', 'content:read@post', 'content:read:published@page'])).toBeUndefined();
    expect(conflictOf(['content:read:published', 'content:read:published@post'])).toBeUndefined();
  });
});
