import { Logger } from '@nestjs/common';
import { FairQueue, type FairQueueOptions } from '../../admission/fair-queue.js';
import { KeyedMutex } from '../../admission/keyed-mutex.js';
import { Problem } from '../../errors/problem.js';
import type { Validation } from '../check.js';
import { areSmall, StepBudget, patternFault } from './pattern.js';
import { PatternThread, PatternThreadError } from './pattern-thread.js';
import type { PatternRequest, PatternResponse } from './pattern-worker.js';

/** Limits of one message to the worker, because copying it occupies the event loop. */
const MESSAGE = { questions: 1_000, units: 128 * 1024 };

const LIMITS: Omit<FairQueueOptions, 'concurrency'> = {
  maxWaiting: 500,
  waitMs: 20_000,
  refusal: () => Problem.unavailable('Too many patterns are waiting to be checked. Try again soon.', 2),
};

/** A pattern and the text to match it against. */
interface PatternMatch {
  pattern: string;
  text: string;
}

/** The patterns used up their time budget. */
export class PatternsTooCostlyError extends Error {}

/** The worker time, in milliseconds, that a task of many requests may use. */
export class TimeBudget {
  constructor(private milliseconds: number) {}

  charge(milliseconds: number): void {
    this.milliseconds -= milliseconds;
    if (this.milliseconds < 0) throw new PatternsTooCostlyError();
  }
}

/** Checks patterns in the worker, in slices. Keys (tenants) take turns, and the requests of a key run one after another. */
export class PatternRunner {
  private readonly logger = new Logger('Patterns');
  private readonly requests = new KeyedMutex(LIMITS);
  private readonly slices = new FairQueue({ ...LIMITS, concurrency: 1 });

  constructor(private readonly thread = new PatternThread()) {}

  /** Number of requests that have not begun or wait for their next turn. */
  get waiting(): number {
    return this.requests.waiting + this.slices.waiting;
  }

  /** Returns the error of each pattern, or undefined. Charges the compilation to the effort. */
  async faults(key: string, sources: readonly string[], effort: StepBudget): Promise<(string | undefined)[]> {
    const answers = await this.run(key, sources, undefined, { effort });
    return answers.map((answer) => (answer === null ? undefined : String(answer)));
  }

  /**
   * Returns whether each pattern matches its text; undefined if that exceeds the effort. Without `effort`, each match has its own. Throws
   * PatternsTooCostlyError once the worker has used up `timeBudget`.
   */
  async matches(
    key: string,
    matches: readonly PatternMatch[],
    limits: { effort?: StepBudget; timeBudget?: TimeBudget },
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
    { effort, timeBudget }: { effort?: StepBudget; timeBudget?: TimeBudget },
  ): Promise<PatternResponse['answers']> {
    const budget = effort ?? new StepBudget();
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

  /** If the worker had to be terminated, everything in the request counts as too costly. */
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

/** The only runner of the process. A second worker would only compete with it, and with the event loop, for the processor. */
export const patternRunner = new PatternRunner();

/** Returns the error of each pattern, by its source. If all patterns are small, compiles them here instead of in the worker. */
export async function findPatternFaults(
  key: string,
  sources: readonly string[],
  effort: StepBudget,
): Promise<ReadonlyMap<string, string | undefined>> {
  const faults = areSmall(sources, new StepBudget(100_000))
    ? sources.map((source) => patternFault(source, effort))
    : await patternRunner.faults(key, sources, effort);
  return new Map(sources.map((source, index) => [source, faults[index]]));
}

/**
 * Matches the deferred patterns and reports their errors as if they had not been deferred. Removes the wrong values from `values`. Throws a
 * 503 if too many requests wait.
 */
export async function matchDeferredPatterns(
  key: string,
  validation: Validation,
  values: Record<string, unknown> = {},
): Promise<void> {
  if (validation.deferred.length === 0) return;
  const answers = await patternRunner.matches(key, validation.deferred, { effort: validation.effort });
  for (const name of validation.resolve(answers)) delete values[name];
}
