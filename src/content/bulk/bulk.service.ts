import { Injectable } from '@nestjs/common';
import { presentProblem, Problem, type ValueError } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { formatId } from '../../ids/type-id.js';
import { MAX_ERRORS } from '../entries/writes/entry-validation.js';
import type { BulkDto, BulkMetaDto, BulkResponseDto, BulkResultDto } from './bulk.dto.js';
import type { Shape } from '../reading/shape.js';
import { EntryBatches } from './entry-batches.js';
import type { Failure, Outcome } from './operation.js';
import { opOf, readOperations } from './read-operations.js';

/** Maximum number of errors of one operation, if the others stand. */
const MAX_ERRORS_EACH = 100;

/** Runs the operations of a request. */
@Injectable()
export class BulkService {
  constructor(private readonly batches: EntryBatches) {}

  /** If the operations are atomic and some fail, throws the problem of the first one, with the errors of all. */
  async run(caller: Caller, { dto, errors, isHeavy }: CheckedBody<BulkDto>, shape: Shape): Promise<BulkResponseDto> {
    const found = byOperation(errors);
    const { operations: sent, atomic: isAtomic = true, dry_run: isDryRun = false } = dto;
    if (!found) throw Problem.invalid(errors);
    const outcomes = await this.batches.run(caller, readOperations(sent, found), { isAtomic, isDryRun, isHeavy });
    if (isAtomic) assertAllSucceeded(outcomes);
    const unmade = new Set(isDryRun ? outcomes.filter(isCreation).map(({ entryId }) => entryId) : []);
    const showsTimes = shape === 'full' && !isDryRun;
    const data = outcomes.map((outcome, index) => ({
      ...presentOutcome(outcome, unmade),
      op: opOf(sent[index]),
      ...(showsTimes && presentTimes(outcome)),
    }));
    return { data, meta: countOutcomes(outcomes) };
  }
}

const OF_OPERATION = /^operations\.(\d+)(?:\.(.*))?$/s;

/** Errors of the body by the indexes of their operations, with paths inside these. Returns undefined if one concerns the whole body. */
function byOperation(errors: readonly ValueError[]): Map<number, ValueError[]> | undefined {
  const found = new Map<number, ValueError[]>();
  for (const error of errors) {
    const [, index, path = ''] = OF_OPERATION.exec(error.path) ?? [];
    if (index === undefined) return undefined;
    found.set(Number(index), [...(found.get(Number(index)) ?? []), { ...error, path }]);
  }
  return found;
}

/** The number of outcomes with each result. */
function countOutcomes(outcomes: readonly Outcome[]): BulkMetaDto {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };
  for (const { result } of outcomes) counts[result]++;
  return counts;
}

/** The problem of one operation, as a response shows it. */
export function presentFailure({ problem }: Failure) {
  const { errors, ...presented } = presentProblem(problem);
  return { ...presented, ...(errors && { errors: errors.slice(0, MAX_ERRORS_EACH) }) };
}

function isCreation({ result }: Outcome): boolean {
  return result === 'created';
}

/** `unmade` has the IDs of entries that a dry run would create. */
function presentOutcome(
  { result, entryId, version, failure }: Outcome,
  unmade: ReadonlySet<string | undefined>,
): Omit<BulkResultDto, 'op'> {
  return {
    ...(entryId !== undefined && !unmade.has(entryId) && { entry_id: formatId('ent', entryId) }),
    result,
    ...(version !== undefined && { version }),
    ...(failure && { problem: presentFailure(failure) }),
  };
}

function presentTimes({ times }: Outcome): Partial<BulkResultDto> | undefined {
  return times && { created_at: times.createdAt, updated_at: times.updatedAt, published_at: times.publishedAt };
}

function assertAllSucceeded(outcomes: readonly Outcome[]): void {
  const errors: ValueError[] = [];
  let first: Problem | undefined;
  let failed = 0;
  for (const [index, { failure }] of outcomes.entries()) {
    if (!failure) continue;
    failed++;
    first ??= failure.problem;
    for (const error of errorsOf(failure)) {
      const path = error.path === '' ? `operations.${index}` : `operations.${index}.${error.path}`;
      if (errors.length < MAX_ERRORS) errors.push({ ...error, path });
    }
  }
  if (!first) return;
  const subject = failed === 1 ? '1 operation' : `${failed} operations`;
  const detail = `${subject} failed, so nothing was changed. ${first.detail}`;
  throw new Problem(first.code, detail, errors, first.headers, first.members);
}

function errorsOf({ problem: { code, detail, errors }, property }: Failure): readonly ValueError[] {
  return errors && errors.length > 0 ? errors : [{ path: property, code, message: detail }];
}
