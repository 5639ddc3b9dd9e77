import { isPartAway, problemOfDatabase, violatedConstraint } from './database-problem.js';

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
  const error = (code: string, message: string, where?: string) =>
    Object.assign(new Error(message), { code, severity: 'ERROR', where });
  const WHERE = 'while executing command on worker1:5432';

  it.each([
    error('XX000', 'server closed the connection unexpectedly\n\tThis probably means …', WHERE),
    error('XX000', 'could not commit transaction for shard 102014 on at least one active node'),
    error('57P01', 'terminating connection due to administrator command', WHERE),
  ])('is one of several if it is lost during a statement or its commit: $message', (lost) => {
    expect(isPartAway(lost)).toBe(true);
    expect(problemOfDatabase(lost)?.status).toBe(503);
  });

  it('is not an error of a server that can be reached', () => {
    expect(isPartAway(error('57P01', 'terminating connection due to administrator command'))).toBe(false);
    expect(isPartAway(error('XX000', 'cache lookup failed', WHERE))).toBe(false);
    expect(problemOfDatabase(error('XX000', 'cache lookup failed', WHERE))).toBeUndefined();
  });

  it('is one that refuses or ends the session, whatever the reason', () => {
    for (const [code, message] of [
      ['55000', 'database "trivet" is not currently accepting connections'],
      ['28P01', 'password authentication failed for user "trivet"'],
      ['3D000', 'database "trivet" does not exist'],
    ] as const) {
      expect(problemOfDatabase(Object.assign(error(code, message), { severity: 'FATAL' }))?.status).toBe(503);
      expect(problemOfDatabase(error(code, message))).toBeUndefined();
    }
  });

  it('is one of several if another server reports it', () => {
    expect(isPartAway(Object.assign(new Error(), { code: '08006', severity: 'ERROR' }))).toBe(true);
    expect(isPartAway(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe(false);
  });
});
