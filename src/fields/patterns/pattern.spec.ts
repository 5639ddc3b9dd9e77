import fc from 'fast-check';
import { RE2JS } from 're2js';
import { StepBudget, patternFault, patternMatches, patternMatchesAtOnce } from './pattern.js';
import { estimateSize } from './pattern-cost.js';

/** Does not increase while other processes use the processor. */
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describe('patternFault', () => {
  it.each(['^[A-Z]{2}-\\d+$', '', '\\u00e4', '(?<year>\\d{4})', '^[^\\s@]+@x$', '(?i)abc', '\\p{L}+', '^.{1,1000}$'])(
    'accepts %j',
    (source) => expect(patternFault(source, new StepBudget())).toBeUndefined(),
  );

  it.each(['(', '[', 'a{2,1}', '(?=a)', '(?<!a)b', '(a)\\1', '*', 'a{1001}'])('refuses %j', (source) => {
    expect(patternFault(source, new StepBudget())).toMatch(/RE2/);
  });

  it('refuses a pattern that compiles to too many instructions', () => {
    expect(patternFault('(?:a{1000}){1}|'.repeat(20), new StepBudget())).toBe('is too complex');
  });

  it('refuses a hundred of the worst patterns without compiling all of them', () => {
    const effort = new StepBudget();
    const start = processorMs();
    const last = Array.from({ length: 100 }, () => patternFault('(?:\\p{L}{900}){1}|'.repeat(50), effort)).at(-1);
    expect(last).toMatch(/in combination/);
    expect(processorMs() - start).toBeLessThan(2_000);
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
        const fault = patternFault(source, new StepBudget());
        if (fault === undefined) patternMatches(source, 'aé\ud800', new StepBudget());
      }),
    );
  });
});

describe('patternMatches', () => {
  it('finds a match anywhere in the text', () => {
    expect(patternMatches('\\d', 'abc1', new StepBudget())).toBe(true);
    expect(patternMatches('^\\d', 'abc1', new StepBudget())).toBe(false);
  });

  it('is fast with a pattern that stalls a backtracking engine', () => {
    const start = processorMs();
    expect(patternMatches('^(a+)+$', `${'a'.repeat(50_000)}b`, new StepBudget())).toBe(false);
    expect(processorMs() - start).toBeLessThan(2_000);
  });

  it('gives up when the pattern and the texts together are too long', () => {
    const effort = new StepBudget();
    const pattern = '(?i)(\\pL|\\pN){800}!';
    const start = processorMs();
    const answers = Array.from({ length: 1_000 }, () => patternMatches(pattern, 'ab'.repeat(500), effort));
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBeUndefined();
    expect(processorMs() - start).toBeLessThan(5_000);
  });

  it('works with more patterns than the cache can hold', () => {
    for (let i = 0; i < 600; i++) expect(patternMatches(`^${i}$`, String(i), new StepBudget())).toBe(true);
  });
});

describe('patternMatchesAtOnce', () => {
  const atOnce = (source: string, text: string, allowance = new StepBudget(100_000)) =>
    patternMatchesAtOnce(source, text, new StepBudget(), allowance);

  it('matches small patterns against short texts, as most forms need', () => {
    for (const source of ['^[a-z0-9-]+$', '^.{1,200}$', '(?i)^[a-z]+$', '^[^\\s@]+@[^\\s@]+$', '^[\\p{L} ]+$']) {
      expect(atOnce(source, '\n!')).toBe(false);
    }
    expect(atOnce('^\\d{4}-\\d{2}$', '2026-01')).toBe(true);
  });

  it('defers large patterns, long texts, and matches that exceed the allowance', () => {
    expect(atOnce('^[a-z]{1,1000}$', 'a')).toBe('later');
    expect(atOnce('(?:a{90}){90}', 'a')).toBe('later');
    expect(atOnce('(?i)[A-𝟿]', 'a')).toBe('later');
    expect(atOnce('^[a-z]+$', 'a'.repeat(10_000))).toBe('later');
    const allowance = new StepBudget(2_000);
    const answers = Array.from({ length: 5 }, () => atOnce('^[a-z]+$', 'a'.repeat(100), allowance));
    expect(answers.slice(0, 2)).toEqual([true, true]);
    expect(answers.at(-1)).toBe('later');
  });
});

describe('estimateSize', () => {
  it('does not underestimate a pattern by more than a factor of three', () => {
    const part = fc.constantFrom('a', '.', '[a-z]', '\\d', '(?:ab|c)', '(x{3}y?)', '^', '$', '\\.', '[^\\]]');
    const suffix = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,9}', '{3,}', '{10}');
    const parts = fc.array(fc.tuple(part, suffix).map(([one, times]) => (/^[$^]$/.test(one) ? one : one + times)));
    fc.assert(
      fc.property(parts, parts, suffix, (outer, inner, times) => {
        const source = `${outer.join('')}(?:${inner.join('')}|z)${times}`;
        const size = RE2JS.compile(RE2JS.translateRegExp(source)).programSize();
        expect(estimateSize(source) * 3 + 10).toBeGreaterThanOrEqual(size);
      }),
    );
  });
});
