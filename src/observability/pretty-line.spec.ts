import { prettyLine } from './pretty-line.js';

const TIME = new Date(2026, 0, 31, 9, 5, 7, 42).toISOString();
const line = (values: object) => JSON.stringify({ level: 'info', time: TIME, context: 'Main', ...values });

describe('a line of the log for people', () => {
  it('has the local time, the level, the source, the message and the other values', () => {
    const json = line({ status: 404, route: '/v1/:id', text: 'two words', list: [1, 2], msg: 'A request was refused' });
    expect(prettyLine(json, false)).toBe(
      '09:05:07.042 INFO  Main A request was refused status=404 route=/v1/:id text="two words" list=[ 1, 2 ]\n',
    );
  });

  it('has the error and its causes on lines of their own', () => {
    const cause = { type: 'Error', message: 'refused', code: 'ECONNREFUSED' };
    const err = { type: 'TypeError', message: 'no', stack: ['at a (b.js:1:2)'], cause };
    expect(prettyLine(line({ level: 'error', err, msg: 'A job failed' }), false).split('\n')).toEqual([
      '09:05:07.042 ERROR Main A job failed',
      '  TypeError: no',
      '    at a (b.js:1:2)',
      '  Cause: Error: refused code=ECONNREFUSED',
      '',
    ]);
  });

  it('is coloured only on request, and never by a value', () => {
    const json = line({ value: '\u001b[31mred\u0007', msg: 'A \u001b[2Jmessage\r' });
    expect(prettyLine(json, false)).toBe('09:05:07.042 INFO  Main A [2Jmessage value=[31mred\n');
    expect(prettyLine(line({ msg: 'x' }), true)).toContain('\u001b[32mINFO \u001b[39m');
  });

  it('returns text that is not JSON unchanged', () => {
    expect(prettyLine('text\n', false)).toBe('text\n');
  });
});
