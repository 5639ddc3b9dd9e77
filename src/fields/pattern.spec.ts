import fc from 'fast-check';
import { Effort, patternFault, patternMatches } from './pattern.js';

describe('patternFault', () => {
  it.each(['^[A-Z]{2}-\\d+$', '', '\\u00e4', '(?<year>\\d{4})', '^[^\\s@]+@x$', '(?i)abc', '\\p{L}+', '^.{1,1000}$'])(
    'takes %j',
    (source) => expect(patternFault(source, new Effort())).toBeUndefined(),
  );

  it.each(['(', '[', 'a{2,1}', '(?=a)', '(?<!a)b', '(a)\\1', '*', 'a{1001}'])('refuses %j', (source) => {
    expect(patternFault(source, new Effort())).toMatch(/RE2/);
  });

  it('refuses a pattern that compiles to too much', () => {
    expect(patternFault('(?:a{1000}){1}|'.repeat(20), new Effort())).toBe('is too complex');
  });

  it('does not even compile the hundredth of the worst', () => {
    const effort = new Effort();
    const start = performance.now();
    const last = Array.from({ length: 100 }, () => patternFault('(?:\\p{L}{900}){1}|'.repeat(50), effort)).at(-1);
    expect(last).toMatch(/together/);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('never throws', () => {
    const unit = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '*',
      '+',
      '?',
      '|',
      '\\',
      'p',
      'L',
      '1',
      ',',
      '^',
      '$',
      '-',
      'é',
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (source) => {
        const fault = patternFault(source, new Effort());
        if (fault === undefined) patternMatches(source, 'aé\ud800', new Effort());
      }),
    );
  });
});

describe('patternMatches', () => {
  it('looks anywhere in the text', () => {
    expect(patternMatches('\\d', 'abc1', new Effort())).toBe(true);
    expect(patternMatches('^\\d', 'abc1', new Effort())).toBe(false);
  });

  it('is not stalled by what stalls a backtracking engine', () => {
    const start = performance.now();
    expect(patternMatches('^(a+)+$', `${'a'.repeat(50_000)}b`, new Effort())).toBe(false);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('gives up when the pattern and the texts together are too long', () => {
    const effort = new Effort();
    const pattern = '(?i)(\\pL|\\pN){800}!';
    const start = performance.now();
    const answers = Array.from({ length: 1_000 }, () => patternMatches(pattern, 'ab'.repeat(500), effort));
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('keeps its memory when thousands of patterns pass', () => {
    for (let i = 0; i < 600; i++) expect(patternMatches(`^${i}$`, String(i), new Effort())).toBe(true);
  });
});
