import { parentPort } from 'node:worker_threads';
import { Effort, patternFault, patternMatches } from './pattern.js';

/** What the service asks of the worker. It answers as far as it comes in a short time, at least the first question. */
export interface PatternRequest {
  /** Steps that may be spent: on all questions together, or on each (then it is not answered what is left). */
  steps: number;
  isForEach: boolean;
  sources: readonly string[];
  /** A text for each source, to look for the pattern in; without texts the sources are to be compiled. */
  texts?: readonly string[];
}

export interface PatternResponse {
  /** Whether each pattern was found (null: too costly to know), or what is wrong with it (null: nothing). */
  answers: (boolean | string | null)[];
  /** Steps that are left. */
  steps: number;
  /** Processor time, about. */
  milliseconds: number;
}

/** After this time the worker answers what it has, so that tenants can take turns. */
const SLICE_MS = 50;

function answer({ steps, isForEach, sources, texts }: PatternRequest): PatternResponse {
  const began = performance.now();
  const effort = new Effort(steps);
  const answers: PatternResponse['answers'] = [];
  for (const [index, source] of sources.entries()) {
    const own = isForEach ? new Effort(steps) : effort;
    const text = texts?.[index];
    answers.push((text === undefined ? patternFault(source, own) : patternMatches(source, text, own)) ?? null);
    if (performance.now() - began > SLICE_MS) break;
  }
  return { answers, steps: effort.left, milliseconds: performance.now() - began };
}

// The first message says that the worker is ready.
parentPort?.postMessage(undefined);
parentPort?.on('message', (request: PatternRequest) => parentPort?.postMessage(answer(request)));
