import fc from 'fast-check';
import { instantOf, isDate, offsetWithPlus, timestampOf } from './calendar.js';

describe('isDate', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each(['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'])(
    'refuses %s, which is not a calendar day',
    (text) => expect(isDate(text)).toBe(false),
  );

  it.each(['', '2026-1-1', '26-01-01', '2026-01-01 ', '2026-01-01\n', '2026-01-01T00:00:00Z', '２０２６-01-01'])(
    'refuses %j, which has another format',
    (text) => expect(isDate(text)).toBe(false),
  );

  it('agrees with Date', () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part(14), part(33), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}`;
        const parsed = new Date(`${text}T00:00:00Z`);
        const real = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
        expect(isDate(text)).toBe(real);
      }),
    );
  });
});

describe('instantOf', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00'],
    ['2026-01-01T00:30:00+02:00', '2025-12-31T22:30:00'],
    ['2026-12-31T23:30:00-01:45', '2027-01-01T01:15:00'],
    ['2026-01-31T09:30:00.1230Z', '2026-01-31T09:30:00.123'],
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00'],
    ['2026-01-31T09:30:00.123456789-00:00', '2026-01-31T09:30:00.123456789'],
    ['2026-01-31T09:30Z', '2026-01-31T09:30:00'],
    ['2026-01-31T09:30+0200', '2026-01-31T07:30:00'],
    ['2026-01-31T09:30:00.5-0130', '2026-01-31T11:00:00.5'],
    ['2026-01-31', '2026-01-31T00:00:00'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00'],
  ])('reads %s as %s', (text, instant) => expect(instantOf(text)).toBe(instant));

  it.each([
    '2026-02-30',
    '2026-01-31T09:30',
    '2026-01-31T09Z',
    '2026-01-31T09:30.5Z',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30:00+02',
    '2026-01-31T09:30:00 +02:00',
    '2026-01-31T09:30:00 02:00',
    '2026-01-31  09:30:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-01-31T09:30:00.Z',
    '2026-01-31T09:30:00.1234567890Z',
    '2026-01-31T09:30:00+02000',
    '2026-01-31T09:30:00+24:00',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-31T09:30:00Z\n',
  ])('refuses %j', (text) => expect(instantOf(text)).toBeUndefined());

  it('returns texts that sort by instant and are equal for equal instants with any offset', () => {
    const two = (n: number): string => String(n).padStart(2, '0');
    const moment = fc.record({
      ms: fc.oneof(fc.integer({ min: -6e13, max: 2e14 }), fc.integer({ min: 0, max: 5_000 })),
      offset: fc.integer({ min: -1_439, max: 1_439 }),
      nanos: fc.constantFrom('', '000', '0001', '000000', '000009', '9'),
    });
    const write = ({ ms, offset, nanos }: { ms: number; offset: number; nanos: string }): string => {
      const local = new Date(ms + offset * 60_000).toISOString().slice(0, 23);
      const abs = Math.abs(offset);
      return `${local}${nanos}${offset < 0 ? '-' : '+'}${two(Math.floor(abs / 60))}:${two(abs % 60)}`;
    };
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const order = a.ms - b.ms || Number(`0.${a.nanos || 0}`) - Number(`0.${b.nanos || 0}`);
        const [first, second] = [instantOf(write(a)) ?? '', instantOf(write(b)) ?? ''];
        expect(first).not.toBe('');
        expect(first < second ? -1 : first > second ? 1 : 0).toBe(Math.sign(order));
        expect(instantOf(write({ ...a, offset: 0 }))).toBe(first);
      }),
    );
  });
});

describe('timestampOf', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T09:30:00.12-00:30', '2026-01-31T10:00:00.120Z'],
    ['2026-01-31T09:30:00.123999Z', '2026-01-31T09:30:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %j as %j', (text, instant) => expect(timestampOf(text)?.toISOString()).toBe(instant));

  it.each([
    '2026-01-31',
    '2026-01-31T09:30Z',
    '2026-01-31T09:30:00',
    '2026-01-31  09:30:00Z',
    '2026-01-31T09:30:00+0200',
    '2026-02-30T09:30:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00.1234567890Z',
    '0001-01-01T00:00:00+01:00',
    '10000-01-01T00:00:00Z',
    ' 2026-01-31T09:30:00Z',
    '',
  ])('refuses %j', (text) => expect(timestampOf(text)).toBeUndefined());
});

describe('offsetWithPlus', () => {
  it.each([
    ['2026-01-31T09:30:00 02:00', '2026-01-31T09:30:00+02:00'],
    ['2026-01-31T09:30 0200', '2026-01-31T09:30+0200'],
    ['2026-01-31T09:30:00.5 02:00', '2026-01-31T09:30:00.5+02:00'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T09:30:00+02:00'],
    ['2026-01-31 09:30:00Z', '2026-01-31 09:30:00Z'],
    ['2026-01-31 09:30', '2026-01-31 09:30'],
    [' 2026-01-31T09:30:00Z', ' 2026-01-31T09:30:00Z'],
  ])('reads %j as %j', (text, meant) => expect(offsetWithPlus(text)).toBe(meant));
});
