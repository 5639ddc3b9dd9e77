import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ByteBudget } from '../../admission/byte-budget.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Stopping } from '../../admission/stopping.js';
import { Config } from '../../config/config.js';
import { problemOfDatabase } from '../../errors/database-problem.js';
import { presentProblem, Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { Query } from '../../http/query.js';
import { exemptFromTimeout, restoreTimeout } from '../../http/request-timeout.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { presentFailure } from '../bulk/bulk.service.js';
import { EntryBatches } from '../bulk/entry-batches.js';
import type { BulkOperation, Outcome } from '../bulk/operation.js';
import { assertMayChangeEntry } from '../live-changes.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { ExchangeQueue } from '../../lists/exchange/exchange-admission.js';
import { csvLines, FileProblem, jsonLines, type LineOptions, MAX_LINE_BYTES, type ReadLine } from './import-lines.js';
import { type ImportRequest, readImport } from './import-request.js';
import { ImportResponder } from './import-responder.js';
import { RecordSplitter, type StreamedRecord } from './record-splitter.js';
import { chunksOf, ClientGoneError, QUIET } from './request-chunks.js';

/** Lines that are committed together. */
const BATCH = { lines: 500, bytes: MAX_LINE_BYTES };
/** Memory that an import holds: a batch as bytes, as values and as rows, and the unread response. */
const HELD_BYTES = 8 * 1024 * 1024;
/** Codes of problems of records that could not be read at all. */
const UNREAD: ReadonlySet<string> = new Set(['malformed_csv', 'payload_too_large']);
/** Pauses before a batch that was refused, because the service is busy, is tried again. */
const RETRIES_MS = [500, 1_000, 2_000, 4_000, 8_000];

type Line = { line: number } & ({ operation: BulkOperation } | { problem: object; lastLine: number });

/** Imports a stream of entries in batches, and reports the lines that are wrong. */
@Injectable()
export class ImportService {
  /** Milliseconds between progress lines, of which one is due every five seconds. Tests shorten it. */
  progressMs = 4_000;
  private readonly queue = new ExchangeQueue('imports');

  constructor(
    private readonly batches: EntryBatches,
    private readonly schemas: Schemas,
    private readonly bytes: ByteBudget,
    private readonly stopping: Stopping,
    private readonly config: Config,
  ) {}

  /** Answers the request. Throws a problem only before the response has begun. */
  async run(caller: Caller, typeName: IdOrSlug, query: Query, request: Request, response: Response): Promise<void> {
    const type = await this.schemas.fresh(caller.tenantId, typeName);
    const options = readImport(query, request);
    assertKey(type, options.key);
    assertMayChangeEntry(caller, type.id, { after: options.status });
    const leave = await this.queue.enter(caller);
    try {
      const reservation = this.bytes.reserve(caller.share, HELD_BYTES);
      exemptFromTimeout(request);
      try {
        await new Import(this.batches, this.stopping, caller, type, options, response, this.progressMs).run(
          chunksOf(request, this.config.clientTimeout),
        );
      } finally {
        reservation.release();
        if (request.complete) restoreTimeout(request);
        else closeSoon(request);
      }
    } finally {
      leave();
    }
  }
}

class Import {
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private readonly responder: ImportResponder;
  private readonly splitter: RecordSplitter;
  private readonly readLine: ReadLine;
  private waiting: StreamedRecord[] = [];
  private waitingBytes = 0;

  constructor(
    private readonly batches: EntryBatches,
    private readonly stopping: Stopping,
    private readonly caller: Caller,
    type: CompiledType,
    private readonly options: ImportRequest,
    response: Response,
    progressMs: number,
  ) {
    const { format, key, status, locale } = options;
    const lines: LineOptions = { typeId: type.id, schema: type.schema, key, status, locale };
    this.splitter = new RecordSplitter(format === 'csv', MAX_LINE_BYTES);
    this.readLine = format === 'csv' ? csvLines(lines) : jsonLines(lines);
    this.responder = new ImportResponder(response, () => ({ processed: this.processed }), progressMs);
  }

  private get processed(): number {
    const { created, updated, unchanged, failed } = this.counts;
    return created + updated + unchanged + failed;
  }

  async run(chunks: AsyncIterable<Buffer | typeof QUIET>): Promise<void> {
    this.responder.start();
    try {
      for await (const chunk of chunks) {
        if (chunk === QUIET) await this.flush();
        else for (const record of this.splitter.push(chunk)) await this.add(record);
        this.assertGoesOn();
      }
      const last = this.splitter.end();
      if (last) await this.add(last);
      await this.flush();
      this.responder.end({ done: true, ...this.counts });
    } catch (error) {
      this.fail(error);
    } finally {
      this.responder.stop();
    }
  }

  private async add(record: StreamedRecord): Promise<void> {
    this.waiting.push(record);
    this.waitingBytes += record.bytes?.length ?? 0;
    if (this.waiting.length >= BATCH.lines || this.waitingBytes >= BATCH.bytes) await this.flush();
  }

  /** Commits the lines that wait. */
  private async flush(): Promise<void> {
    const { waiting: records, caller } = this;
    if (records.length === 0) return;
    this.assertGoesOn();
    const isLarge = isHeavy(this.waitingBytes);
    this.waiting = [];
    this.waitingBytes = 0;
    const lines = await heavyWork.runIf(isLarge, caller.tenantId, readAll(this.readLine, records));
    const operations = lines.flatMap((line) => ('operation' in line ? [line.operation] : []));
    const outcomes = await this.runBatch(operations, isLarge);
    let next = 0;
    for (const line of lines) {
      const problem = 'operation' in line ? this.count(outcomes[next++]) : line.problem;
      if (problem === undefined) continue;
      const lastLine = 'lastLine' in line ? line.lastLine : line.line;
      this.counts.failed += 1 + lastLine - line.line;
      this.responder.write({ line: line.line, ...(lastLine > line.line && { last_line: lastLine }), problem });
    }
  }

  /** Counts an outcome, or returns its problem. */
  private count(outcome: Outcome | undefined): object | undefined {
    if (outcome?.failure) return presentFailure({ ...outcome.failure, problem: ofLine(outcome.failure.problem) });
    const { result } = outcome ?? {};
    if (result === 'created' || result === 'updated' || result === 'unchanged') this.counts[result]++;
    return undefined;
  }

  /** Runs the operations, in halves if they are too large together. Tries again while the service is busy. */
  private async runBatch(operations: readonly BulkOperation[], isHeavyBatch: boolean): Promise<Outcome[]> {
    if (operations.length === 0) return [];
    const options = { isAtomic: false, isDryRun: this.options.isDryRun, isHeavy: isHeavyBatch };
    for (let tries = 0; ; tries++) {
      try {
        return await this.batches.run(this.caller, operations, options);
      } catch (error) {
        if (error instanceof Problem && error.code === 'payload_too_large') {
          if (operations.length === 1)
            return [{ op: 'create', result: 'failed', failure: { problem: error, property: 'entry_id' } }];
          const half = Math.ceil(operations.length / 2);
          return [
            ...(await this.runBatch(operations.slice(0, half), isHeavyBatch)),
            ...(await this.runBatch(operations.slice(half), isHeavyBatch)),
          ];
        }
        const pause = RETRIES_MS[tries];
        if (problemOf(error)?.status !== 503 || pause === undefined || !this.responder.hasBegun) throw error;
        await sleep(pause);
        this.assertGoesOn();
      }
    }
  }

  private assertGoesOn(): void {
    if (this.responder.isGone) throw new ClientGoneError('The client disconnected.');
    if (this.stopping.hasBegun)
      throw Problem.unavailable('The service is stopping. What was reported is committed.', 5);
  }

  /** Throws the error if the response has not begun. Otherwise the last line says why the import has ended. */
  private fail(error: unknown): void {
    if (error instanceof ClientGoneError && this.responder.isGone) return;
    const problem =
      error instanceof ClientGoneError ? new Problem('invalid_parameter', error.message) : problemOf(error);
    if (!problem || error instanceof FileProblem || !this.responder.hasBegun) throw problem ?? error;
    this.responder.end({ done: false, ...this.counts, problem: presentProblem(problem) });
  }
}

function* readAll(readLine: ReadLine, records: readonly StreamedRecord[]): SlicedWork<Line[]> {
  const lines: Line[] = [];
  for (const record of records) {
    try {
      const operation = yield* readLine(record);
      if (operation) lines.push({ line: record.line, operation });
    } catch (problem) {
      if (!(problem instanceof Problem) || problem instanceof FileProblem) throw problem;
      // All lines of a record that could not be read are lost. They may be several entries, if a quotation mark is missing.
      const lastLine = UNREAD.has(problem.code) ? record.lastLine : record.line;
      lines.push({ line: record.line, lastLine, problem: presentFailure({ problem, property: 'entry_id' }) });
    }
    yield;
  }
  return lines;
}

/** The key of a line is one of its fields. */
function ofLine({ code, detail, errors }: Problem): Problem {
  return new Problem(
    code,
    detail,
    errors?.map((error) => ({ ...error, path: error.path.replace(/^key\./, 'fields.') })),
  );
}

function assertKey({ schema }: CompiledType, key: string | undefined): void {
  if (key === undefined) return;
  const field = schema.field(key);
  if (!field) throw Problem.parameter('key', `There is no field ${key}.`, 'unknown_field');
  if (!field.unique || field.multiple) {
    throw Problem.parameter('key', `key must name a unique field that has one value.`);
  }
}

function problemOf(error: unknown): Problem | undefined {
  return error instanceof Problem ? error : problemOfDatabase(error);
}

/** Lets the client read the response, and then closes the connection, because the rest of the body may be endless. */
function closeSoon(request: Request): void {
  request.resume();
  setTimeout(() => request.socket.destroy(), 5_000).unref();
}
