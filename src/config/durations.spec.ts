import { parseDuration, parseDurations } from './durations.js';

describe('durations', () => {
  it.each([
    ['0s', 0],
    ['0', 0],
    ['500ms', 500],
    ['5s', 5_000],
    ['5m', 300_000],
    ['1.5h', 5_400_000],
    [' 2d ', 172_800_000],
  ])('in the form %j are read as %d milliseconds', (text, milliseconds) =>
    expect(parseDuration(text)).toBe(milliseconds),
  );

  it.each(['', '5', '00', '-0', '0.0', 's', '-5s', '5 s', '5S', '1e3s', '5s5s', '5w', 'Infinitys'])(
    'in the form %j are refused',
    (text) => expect(parseDuration(text)).toBeUndefined(),
  );

  it('in a list are refused if an item is not a duration', () => {
    expect(parseDurations('5s,5m')).toEqual([5_000, 300_000]);
    expect(parseDurations('0,5s')).toEqual([0, 5_000]);
    expect(parseDurations('5s,')).toBeUndefined();
  });
});
