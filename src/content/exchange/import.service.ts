import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LastingRequests } from '../../access/lasting-requests.js';
import { lacksScope } from '../../access/scope-problems.js';
import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { Query } from '../../http/query.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { StreamedRecord } from '../../lists/exchange/record-splitter.js';
import {
  FileProblem,
  type ImportBatch,
  type ImportJob,
  StreamedImports,
} from '../../lists/exchange/streamed-import.js';
import { presentFailure } from '../bulk/bulk.service.js';
import { EntryBatches } from '../bulk/entry-batches.js';
import type { BulkOperation, Outcome } from '../bulk/operation.js';
import { assertMayChangeEntry } from '../live-changes.js';
import { assertKnownLocale } from '../locales/locale-request.js';
import { localesOf } from '../locales/tenant-locales.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { csvLines, jsonLines, type LineOptions, type ReadLine } from './import-lines.js';
import { type ImportRequest, readImport } from './import-request.js';

/** Codes of problems of records that could not be read at all. */
const UNREAD: ReadonlySet<string> = new Set(['malformed_csv', 'payload_too_large']);

type Line = { line: number } & ({ operation: BulkOperation } | { problem: object; lastLine: number });

/** Imports a stream of entries in batches, and reports the lines that are wrong. */
@Injectable()
export class ImportService {
  constructor(
    private readonly batches: EntryBatches,
    private readonly schemas: Schemas,
    private readonly imports: StreamedImports,
    private readonly database: Database,
    private readonly lasting: LastingRequests,
  ) {}

  /** Answers the request. Throws a problem only before the response has begun. */
  async run(caller: Caller, typeName: IdOrSlug, query: Query, request: Request, response: Response): Promise<void> {
    const type = await this.schemas.fresh(caller.tenantId, typeName);
    const options = readImport(query, request);
    if (options.keepsIds && !caller.scopes.has('*')) throw lacksScope(['*'], caller.scopes);
    assertKey(type, options.key);
    if (options.locale !== undefined) {
      assertKnownLocale(options.locale, type.locales ?? (await localesOf(this.database, caller.tenantId)));
    }
    assertMayChangeEntry(caller, type.id, { after: options.status });
    const importer = { caller, assertAdmitted: () => this.lasting.assertAdmitted(caller) };
    await this.imports.run(importer, request, response, new EntryImport(this.batches, caller, type, options));
  }
}

class EntryImport implements ImportJob {
  readonly isCsv: boolean;
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private readonly readLine: ReadLine;

  constructor(
    private readonly batches: EntryBatches,
    private readonly caller: Caller,
    type: CompiledType,
    private readonly options: ImportRequest,
  ) {
    const { format, key, status, locale, keepsIds } = options;
    const { id: typeId, schema, locales } = type;
    const lines: LineOptions = { typeId, schema, locales, key, status, locale, keepsIds };
    this.isCsv = format === 'csv';
    this.readLine = this.isCsv ? csvLines(lines) : jsonLines(lines);
  }

  async write(records: readonly StreamedRecord[], batch: ImportBatch): Promise<void> {
    const reading = readAll(this.readLine, records);
    const lines = await heavyWork.runIf(batch.isHeavy, this.caller.tenantId, reading);
    const operations = lines.flatMap((line) => ('operation' in line ? [line.operation] : []));
    const outcomes = await this.runBatch(operations, batch);
    let next = 0;
    for (const line of lines) {
      const problem = 'operation' in line ? this.count(outcomes[next++]) : line.problem;
      if (problem === undefined) continue;
      const lastLine = 'lastLine' in line ? line.lastLine : line.line;
      this.counts.failed += 1 + lastLine - line.line;
      batch.report({ line: line.line, ...(lastLine > line.line && { last_line: lastLine }), problem });
    }
  }

  /** Counts an outcome, or returns its problem. */
  private count(outcome: Outcome | undefined): object | undefined {
    if (outcome?.failure) return presentFailure({ ...outcome.failure, problem: ofLine(outcome.failure.problem) });
    const { result } = outcome ?? {};
    if (result === 'created' || result === 'updated' || result === 'unchanged') this.counts[result]++;
    return undefined;
  }

  /** Runs the operations, in halves if they are too large together. */
  private async runBatch(operations: readonly BulkOperation[], batch: ImportBatch): Promise<Outcome[]> {
    if (operations.length === 0) return [];
    const options = { isAtomic: false, isDryRun: this.options.isDryRun, isHeavy: batch.isHeavy };
    try {
      return await batch.retry(() => this.batches.run(this.caller, operations, options));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'payload_too_large') throw error;
      if (operations.length === 1)
        return [{ op: 'create', result: 'failed', failure: { problem: error, property: 'entry_id' } }];
      const half = Math.ceil(operations.length / 2);
      return [
        ...(await this.runBatch(operations.slice(0, half), batch)),
        ...(await this.runBatch(operations.slice(half), batch)),
      ];
    }
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
  const field = schema.ownField(key);
  if (!field) throw Problem.parameter('key', `There is no field ${key}.`, 'unknown_field');
  if (!field.unique || field.multiple) {
    throw Problem.parameter('key', `key must name a unique field that has one value.`);
  }
}
