import { Logger } from '@nestjs/common';
import { FairQueue, type FairQueueOptions } from '../admission/fair-queue.js';
import { KeyedQueue } from '../admission/keyed-queue.js';
import { Problem } from '../errors/problem.js';
import type { Findings } from './check.js';
import { areSmall, Effort, patternFault } from './pattern.js';
import { PatternThread, PatternThreadError } from './pattern-thread.js';
import type { PatternRequest, PatternResponse } from './pattern-worker.js';

/** What one message to the worker holds at most: copying it occupies the event loop. */
const MESSAGE = { questions: 1_000, units: 128 * 1024 };

const LIMITS: Omit<FairQueueOptions, 'concurrency'> = {
  maxWaiting: 500,
  waitMs: 20_000,
  refusal: () =>
    new Problem('unavailable', 'Too many patterns are waiting to be checked. Try again soon.', undefined, {
      'Retry-After': '2',
    }),
};

/** A pattern, and the text to look for it in. */
export interface PatternMatch {
  pattern: string;
  text: string;
}

/** Patterns took longer than they may. */
export class PatternsTooCostlyError extends Error {}

/** Milliseconds for which the worker may be busy with something that consists of many requests. */
export class TimeBudget {
  constructor(private milliseconds: number) {}

  charge(milliseconds: number): void {
    this.milliseconds -= milliseconds;
    if (this.milliseconds < 0) throw new PatternsTooCostlyError();
  }
}

/** Has patterns checked by the worker, slice by slice, keys (tenants) in turn, and one request of a key after the other. */
export class PatternRunner {
  private readonly logger = new Logger('Patterns');
  private readonly requests = new KeyedQueue(LIMITS);
  private readonly slices = new FairQueue({ ...LIMITS, concurrency: 1 });

  constructor(private readonly thread = new PatternThread()) {}

  /** Requests that have not begun, or wait for their next turn. */
  get waiting(): number {
    return this.requests.waiting + this.slices.waiting;
  }

  /** What is wrong with each pattern, or undefined. Compiling them is charged to the effort. */
  async faults(key: string, sources: readonly string[], effort: Effort): Promise<(string | undefined)[]> {
    const answers = await this.run(key, sources, undefined, { effort });
    return answers.map((answer) => (answer === null ? undefined : String(answer)));
  }

  /**
   * Whether each pattern is found in its text; undefined where that takes more than the effort. Without an effort each match has one of
   * its own. Throws PatternsTooCostlyError once the worker was busy for more than `timeBudget` has left.
   */
  async matches(
    key: string,
    matches: readonly PatternMatch[],
    limits: { effort?: Effort; timeBudget?: TimeBudget },
  ): Promise<(boolean | undefined)[]> {
    const sources = matches.map(({ pattern }) => pattern);
    const texts = matches.map(({ text }) => text);
    const answers = await this.run(key, sources, texts, limits);
    return answers.map((answer) => (typeof answer === 'boolean' ? answer : undefined));
  }

  private async run(
    key: string,
    sources: readonly string[],
    texts: readonly string[] | undefined,
    { effort, timeBudget }: { effort?: Effort; timeBudget?: TimeBudget },
  ): Promise<PatternResponse['answers']> {
    const budget = effort ?? new Effort();
    return this.requests.run(key, async () => {
      const answers: PatternResponse['answers'] = [];
      while (answers.length < sources.length) {
        const [from, to] = [answers.length, endOfMessage(sources, texts, answers.length)];
        const response = await this.slices.run(key, () =>
          this.ask({
            steps: budget.left,
            isForEach: effort === undefined,
            sources: sources.slice(from, to),
            texts: texts?.slice(from, to),
          }),
        );
        for (const answer of response.answers) answers.push(answer);
        budget.charge(budget.left - response.steps);
        timeBudget?.charge(response.milliseconds);
      }
      return answers;
    });
  }

  /** Where the worker had to be ended, all that it was asked counts as too costly. */
  private async ask(request: PatternRequest): Promise<PatternResponse> {
    const began = performance.now();
    try {
      return await this.thread.ask(request);
    } catch (error) {
      if (!(error instanceof PatternThreadError)) throw error;
      this.logger.warn(error.message);
      const answer = request.texts ? null : 'is too complex';
      return { answers: request.sources.map(() => answer), steps: 0, milliseconds: performance.now() - began };
    }
  }
}

function endOfMessage(sources: readonly string[], texts: readonly string[] | undefined, from: number): number {
  let units = 0;
  let end = from;
  while (end < sources.length && end - from < MESSAGE.questions) {
    units += (sources[end]?.length ?? 0) + (texts?.[end]?.length ?? 0);
    if (units > MESSAGE.units && end > from) break;
    end++;
  }
  return end;
}

/** The one of this process: a second worker would only compete with it, and with the event loop, for the processor. */
export const patternRunner = new PatternRunner();

/** What is wrong with each of the patterns, by its source. Small ones are compiled at once. */
export async function findPatternFaults(
  key: string,
  sources: readonly string[],
  effort: Effort,
): Promise<ReadonlyMap<string, string | undefined>> {
  const faults = areSmall(sources, new Effort(100_000))
    ? sources.map((source) => patternFault(source, effort))
    : await patternRunner.faults(key, sources, effort);
  return new Map(sources.map((source, index) => [source, faults[index]]));
}

/**
 * Looks for the patterns that were left for later and reports them as if they had not been. `values` loses those that turn out to be
 * wrong. 503 when too much waits.
 */
export async function settlePatterns(
  key: string,
  findings: Findings,
  values: Record<string, unknown> = {},
): Promise<void> {
  if (findings.later.length === 0) return;
  const answers = await patternRunner.matches(key, findings.later, { effort: findings.effort });
  for (const name of findings.settle(answers)) delete values[name];
}
