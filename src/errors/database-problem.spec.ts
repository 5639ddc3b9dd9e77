import { isPartAway, violatedConstraint } from './database-problem.js';

describe('the constraint that an error violates', () => {
  const error = (properties: object) => Object.assign(new Error('duplicate key value'), { code: '23505' }, properties);

  it('is the one that PostgreSQL names', () => {
    expect(violatedConstraint(error({ constraint: 'forms_slug' }))).toBe('forms_slug');
    expect(violatedConstraint(error({ constraint: 'forms_slug', code: '23503' }))).toBeUndefined();
  });

  it('is named without the number of the shard, also if only the message names it', () => {
    expect(violatedConstraint(error({ constraint: 'forms_slug_102014' }))).toBe('forms_slug');
    const message = 'duplicate key value violates unique constraint "forms_slug_102014"';
    expect(violatedConstraint(error({ message }))).toBe('forms_slug');
  });
});

describe('a server that is away', () => {
  it('is one of several if another server reports it', () => {
    expect(isPartAway(Object.assign(new Error(), { code: '08006', severity: 'ERROR' }))).toBe(true);
    expect(isPartAway(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe(false);
  });
});
