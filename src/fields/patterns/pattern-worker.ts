import { parentPort } from 'node:worker_threads';
import { StepBudget, patternFault, patternMatches } from './pattern.js';

/** A request to the worker. The worker answers as many questions as it can in a short time, but at least the first. */
export interface PatternRequest {
  /** Steps that may be spent on all questions together, or on each one if `isForEach` is true. */
  steps: number;
  isForEach: boolean;
  sources: readonly string[];
  /** The text to match each source against. Without texts, the sources are only compiled. */
  texts?: readonly string[];
}

export interface PatternResponse {
  /**
   * With texts: whether each pattern matches (null if that is too costly). Without texts: the error of each pattern (null if it is valid).
   */
  answers: (boolean | string | null)[];
  /** Steps that are left. Unchanged if `isForEach` is true. */
  steps: number;
  /** Approximate processor time. */
  milliseconds: number;
}

/** After this time the worker returns the answers that it has, so that tenants can take turns. */
const SLICE_MS = 50;

function answer({ steps, isForEach, sources, texts }: PatternRequest): PatternResponse {
  const began = performance.now();
  const effort = new StepBudget(steps);
  const answers: PatternResponse['answers'] = [];
  for (const [index, source] of sources.entries()) {
    const own = isForEach ? new StepBudget(steps) : effort;
    const text = texts?.[index];
    answers.push((text === undefined ? patternFault(source, own) : patternMatches(source, text, own)) ?? null);
    if (performance.now() - began > SLICE_MS) break;
  }
  return { answers, steps: effort.left, milliseconds: performance.now() - began };
}

// The first message says that the worker is ready.
parentPort?.postMessage(undefined);
parentPort?.on('message', (request: PatternRequest) => parentPort?.postMessage(answer(request)));
