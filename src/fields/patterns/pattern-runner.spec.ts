import { checkDefinitions } from '../definitions/definitions.js';
import { StepBudget } from './pattern.js';
import { PatternRunner, PatternsTooCostlyError, TimeBudget } from './pattern-runner.js';
import { PatternThread } from './pattern-thread.js';

/** Takes at least a hundred milliseconds for a text of a thousand letters. */
const SLOW = '(?i)(\\pL|\\pN){800}!';
const LETTERS = 'ab'.repeat(500);

/** Takes half a second to compile. Each class takes milliseconds, because the case of many letters is folded. */
const FOLDS = `(?i)${'[A-𝟿]'.repeat(140)}`;

describe('the pattern worker', () => {
  const thread = new PatternThread();
  const runner = new PatternRunner(thread);
  afterAll(() => thread.end());

  it('matches patterns against texts, and returns the error of a pattern', async () => {
    const matches = [
      { pattern: '^\\d+$', text: '123' },
      { pattern: '^\\d+$', text: 'abc' },
      { pattern: SLOW, text: LETTERS },
    ];
    expect(await runner.matches('tenant', matches, {})).toEqual([true, false, false]);
    const faults = await runner.faults('tenant', ['^a$', '(', '(?:a{1000}){1}|'.repeat(20)], new StepBudget());
    expect(faults).toEqual([undefined, expect.stringContaining('RE2'), 'is too complex']);
  });

  it('applies one effort to all matches of a request, or one to each match', async () => {
    const matches = Array.from({ length: 5 }, () => ({ pattern: SLOW, text: LETTERS }));
    const effort = new StepBudget();
    const answers = await runner.matches('tenant', matches, { effort });
    expect(answers).toEqual([false, false, undefined, undefined, undefined]);
    expect(effort.left).toBeLessThan(1_000_000);
    expect(await runner.matches('tenant', matches, {})).toEqual(Array(5).fill(false));
  });

  it('answers a request that exceeds one message in the order of its questions', async () => {
    const matches = Array.from({ length: 3_000 }, (_, index) => ({ pattern: '^[0-8]+$', text: String(index) }));
    const answers = await runner.matches('tenant', matches, {});
    expect(answers).toEqual(matches.map(({ text }) => !text.includes('9')));
  });

  it('rejects matches that take too long in total', async () => {
    const matches = Array.from({ length: 20 }, () => ({ pattern: SLOW, text: LETTERS }));
    const work = runner.matches('tenant', matches, { timeBudget: new TimeBudget(100) });
    await expect(work).rejects.toThrow(PatternsTooCostlyError);
  });

  it('checks another tenant’s patterns between those of one tenant', async () => {
    const matches = Array.from({ length: 8 }, () => ({ pattern: SLOW, text: LETTERS }));
    let isDone = false;
    const long = runner.matches('a', matches, {}).then(() => (isDone = true));
    await runner.matches('b', [{ pattern: 'a', text: 'a' }], {});
    expect(isDone).toBe(false);
    await long;
  });

  it('is terminated when it does not respond in time, its request counts as too costly, and another worker still responds', async () => {
    const hasty = new PatternThread(20);
    const patterns = new PatternRunner(hasty);
    const matches = [{ pattern: SLOW, text: LETTERS }];
    expect(await patterns.matches('tenant', matches, { effort: new StepBudget() })).toEqual([undefined]);
    expect(await patterns.faults('tenant', [FOLDS], new StepBudget())).toEqual(['is too complex']);
    await hasty.end();
    expect(await runner.matches('tenant', [{ pattern: 'a', text: 'a' }], {})).toEqual([true]);
  });

  it('starts again after it has ended', async () => {
    await thread.end();
    expect(await runner.matches('tenant', [{ pattern: 'a', text: 'a' }], {})).toEqual([true]);
  });
});

describe('definitions', () => {
  it('with patterns that take seconds to compile do not block the event loop, and are refused', async () => {
    // Each class takes milliseconds, because the case of many letters is folded.
    const folds = (index: number) => `(?i)${index}${'[A-𝟿]'.repeat(140)}`;
    const fields = Array.from({ length: 20 }, (_, index) => ({
      name: `f${index}`,
      type: 'text',
      pattern: folds(index),
    }));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const errors = await checkDefinitions('tenant', fields, 'content');
    clearInterval(timer);
    expect(errors.at(-1)).toMatchObject({ path: 'fields.19.pattern', message: expect.stringContaining('too complex') });
    expect(ticks).toBeGreaterThan(20);
  });
});
