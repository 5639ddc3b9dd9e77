import { readTimes } from './schedule-times.js';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');

const codesOf = (sent: object) => readTimes(sent, NOW).errors.map(({ path, code }) => `${path} ${code}`);

describe('the times of a schedule', () => {
  it('are read in UTC, and null if they are absent', () => {
    expect(readTimes({ publish_at: '2030-01-31T09:30:00+02:00' }, NOW)).toEqual({
      times: { publishAt: '2030-01-31T07:30:00.000Z', unpublishAt: null },
      errors: [],
    });
  });

  it('may be in any order', () => {
    expect(codesOf({ publish_at: '2030-01-03T00:00:00Z', unpublish_at: '2030-01-02T00:00:00Z' })).toEqual([]);
  });

  it.each([
    [{}, ['publish_at required']],
    [{ publish_at: '2030-01-01T00:00:00Z' }, ['publish_at min']],
    [{ publish_at: '2030-01-01T00:00:00.001Z' }, []],
    [{ unpublish_at: '2029-12-31T23:59:59Z' }, ['unpublish_at min']],
    [{ publish_at: '2030-02-01T01:00:00+01:00', unpublish_at: '2030-02-01T00:00:00Z' }, ['unpublish_at duplicate']],
  ])('of %j break these rules: %j', (sent, codes) => expect(codesOf(sent)).toEqual(codes));

  it.each([null, 5, 'soon', ['2030-02-01T00:00:00Z']])('that are %j are left to the check of their form', (value) => {
    expect(codesOf({ publish_at: value })).toEqual([]);
  });
});
