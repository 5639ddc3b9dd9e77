import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ByteBudget } from '../../admission/byte-budget.js';
import { isHeavy } from '../../admission/heavy-work.js';
import { Stopping } from '../../admission/stopping.js';
import { Config } from '../../config/config.js';
import { problemOfDatabase } from '../../errors/database-problem.js';
import { presentProblem, Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { exemptFromTimeout, restoreTimeout } from '../../http/request-timeout.js';
import { ExchangeQueue } from './exchange-admission.js';
import { ImportResponder } from './import-responder.js';
import { RecordSplitter, type StreamedRecord } from './record-splitter.js';
import { chunksOf, ClientGoneError, QUIET } from './request-chunks.js';

/** A line is limited as the body of a request is. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Lines that are committed together. */
const BATCH = { lines: 500, bytes: MAX_LINE_BYTES };
/** Memory that an import holds: a batch as bytes, as values and as rows, and the unread response. */
const HELD_BYTES = 8 * 1024 * 1024;
/** Pauses before a batch that was refused, because the service is busy, is tried again. */
const RETRIES_MS = [500, 1_000, 2_000, 4_000, 8_000];

/** The file as a whole is wrong, such as the header of CSV, so that none of its lines can be read. */
export class FileProblem extends Problem {}

/** What an import reads, and what becomes of it. */
export interface ImportJob {
  isCsv: boolean;
  /** The number of records by their outcome. They are in every last line. */
  readonly counts: Readonly<Record<string, number>>;
  /** Commits the records, counts them, and reports those that are wrong. */
  write(records: readonly StreamedRecord[], batch: ImportBatch): Promise<void>;
}

/** Who imports. */
interface Importer {
  caller: Caller;
  /** Throws if the caller may not import any more. Called before each batch, because the client may send for hours. */
  assertAdmitted: () => Promise<void>;
}

/** What a job may do while it writes a batch. */
export interface ImportBatch {
  /** Whether the records are so large that work on them must take turns. */
  isHeavy: boolean;
  /** Writes a line of the response. */
  report(line: object): void;
  /** Runs work that commits something. Tries again while the service is busy. */
  retry<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Reads requests that stream records of any number, and commits them in batches. */
@Injectable()
export class StreamedImports {
  /** Milliseconds between progress lines, of which one is due every five seconds. Tests shorten it. */
  progressMs = 4_000;
  private readonly queue = new ExchangeQueue('imports');

  constructor(
    private readonly bytes: ByteBudget,
    private readonly stopping: Stopping,
    private readonly config: Config,
  ) {}

  /** Answers the request. Throws a problem only before the response has begun. */
  async run(importer: Importer, request: Request, response: Response, job: ImportJob): Promise<void> {
    const { caller } = importer;
    const leave = await this.queue.enter(caller);
    try {
      const reservation = this.bytes.reserve(caller.share, HELD_BYTES);
      exemptFromTimeout(request);
      try {
        const chunks = chunksOf(request, this.config.clientTimeout);
        await new StreamedImport(this.stopping, importer, job, { response, progressMs: this.progressMs }).run(chunks);
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

class StreamedImport {
  private readonly responder: ImportResponder;
  private readonly splitter: RecordSplitter;
  private waiting: StreamedRecord[] = [];
  private waitingBytes = 0;

  constructor(
    private readonly stopping: Stopping,
    private readonly importer: Importer,
    private readonly job: ImportJob,
    { response, progressMs }: { response: Response; progressMs: number },
  ) {
    this.splitter = new RecordSplitter(job.isCsv, MAX_LINE_BYTES);
    this.responder = new ImportResponder(response, () => ({ processed: this.processed }), progressMs);
  }

  private get processed(): number {
    return Object.values(this.job.counts).reduce((sum, count) => sum + count, 0);
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
      this.responder.end({ done: true, ...this.job.counts });
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

  /** Commits the records that wait. */
  private async flush(): Promise<void> {
    const { waiting: records, waitingBytes } = this;
    if (records.length === 0) return;
    this.assertGoesOn();
    this.waiting = [];
    this.waitingBytes = 0;
    await this.retry(() => this.importer.assertAdmitted());
    await this.job.write(records, {
      isHeavy: isHeavy(waitingBytes),
      report: (line) => this.responder.write(line),
      retry: (work) => this.retry(work),
    });
  }

  private async retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
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
    this.responder.end({ done: false, ...this.job.counts, problem: presentProblem(problem) });
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
