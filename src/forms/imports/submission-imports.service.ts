import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LastingRequests } from '../../access/lasting-requests.js';
import { recordChanges } from '../../audit/record-changes.js';
import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import type { Executor, Transaction } from '../../database/transaction.js';
import { presentProblem, Problem } from '../../errors/problem.js';
import type { IndexRow } from '../../fields/compiled-field.js';
import { isMultipart } from '../../http/bodies/form-body.js';
import { NDJSON } from '../../http/bodies/media-type.js';
import type { Caller } from '../../http/caller.js';
import { readLinesType } from '../../lists/exchange/lines-type.js';
import { formatId, timeOf } from '../../ids/type-id.js';
import type { StreamedRecord } from '../../lists/exchange/record-splitter.js';
import {
  FileProblem,
  type ImportBatch,
  type ImportJob,
  StreamedImports,
} from '../../lists/exchange/streamed-import.js';
import { Limits } from '../../tenants/limits.js';
import { MAX_FORMER } from '../field-changes.js';
import { type CompiledForm, changesTooOften, FormSchemas } from '../form-schemas.js';
import type { StoredFile } from '../files/received-files.js';
import { SubmissionFiles } from '../files/submission-files.js';
import { SUBMISSIONS } from '../form-usage.js';
import { SubmissionWords } from '../inbox/submission-words.js';
import { SubmissionRetention } from '../retention/submission-retention.js';
import { addressHashes, digestOf } from '../submissions/submission-hashes.js';
import { rowsOfStored } from '../submissions/submission-index.js';
import { HOLDERS, IMPORT_SUBMISSIONS, type ImportedGroup, KEEP_FORMER, LOCK_FORM } from './import-submissions.sql.js';
import { ImportedFiles, type SubmissionWithFiles } from './imported-files.js';
import { type ImportedSubmission, readSubmission } from './submission-lines.js';

/** A batch meets another version of its form at most this often. */
const MAX_TRIES = 5;

interface ReadLine {
  line: number;
  submission?: ImportedSubmission;
  problem?: Problem;
}

/** Imports submissions that were exported: they keep their IDs and times, and cause no events and no mails. */
@Injectable()
export class SubmissionImports {
  constructor(
    private readonly database: Database,
    private readonly imports: StreamedImports,
    private readonly lasting: LastingRequests,
    private readonly forms: FormSchemas,
    private readonly limits: Limits,
    private readonly words: SubmissionWords,
    private readonly retention: SubmissionRetention,
    private readonly importedFiles: ImportedFiles,
    private readonly submissionFiles: SubmissionFiles,
  ) {}

  /** Answers the request. Throws a problem only before the response has begun. */
  async run(caller: Caller, formId: string, request: Request, response: Response): Promise<void> {
    await this.forms.current(caller.tenantId, formId);
    if (isMultipart(request)) return this.runWithFiles(caller, formId, request, response);
    readLinesType(request, false);
    const job = new SubmissionImport(caller.tenantId, (submissions, isHeavy) =>
      this.write(caller, formId, submissions, isHeavy),
    );
    const importer = { caller, assertAdmitted: () => this.lasting.assertAdmitted(caller) };
    await this.imports.run(importer, request, response, job);
  }

  /** Imports one submission with its files: both, or nothing. */
  private async runWithFiles(caller: Caller, formId: string, request: Request, response: Response): Promise<void> {
    const isNew = await this.importedFiles.read(caller, request, response, async (sent) => {
      const { submission, isHeavy } = sent;
      const known = (await this.write(caller, formId, [submission], isHeavy, sent)).get(submission.id);
      if (known) throw known;
      if (known === undefined) sent.commit();
      return known === undefined;
    });
    const counts = { created: isNew ? 1 : 0, unchanged: isNew ? 0 : 1, failed: 0 };
    response.setHeader('Content-Type', `${NDJSON[0]}; charset=utf-8`);
    response.end(`${JSON.stringify({ done: true, ...counts })}\n`);
  }

  /** Commits submissions; `sent` has the files of the only one. Returns those that were not new, by their IDs: null if the form has it already, or why it cannot be written. */
  private async write(
    caller: Caller,
    formId: string,
    submissions: readonly ImportedSubmission[],
    isHeavy: boolean,
    sent?: SubmissionWithFiles,
  ): Promise<Known> {
    const { tenantId } = caller;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const form = await this.forms.current(tenantId, formId);
      const before = await knownOf(this.database, tenantId, formId, submissions);
      const added = submissions.filter(({ id }) => !before.has(id));
      if (added.length === 0) return before;
      const rows = await heavyWork.runIf(isHeavy, tenantId, rowsOf(tenantId, form, added, sent?.hashes));
      const files = (await sent?.store()) ?? [];
      const creation = { tenantId, resource: SUBMISSIONS, amount: added.length };
      const creations = [creation, ...this.submissionFiles.importsOf(tenantId, files)] as const;
      const done = await this.limits.within(creations, (transaction) =>
        this.add(transaction, caller, form, { rows, files }),
      );
      if (done) return new Map([...before, ...done]);
    }
    throw changesTooOften();
  }

  /** Returns undefined if the form has changed. */
  private async add(
    transaction: Transaction,
    caller: Caller,
    form: CompiledForm,
    { rows, files }: { rows: readonly SubmissionRows[]; files: readonly StoredFile[] },
  ): Promise<Known | undefined> {
    const { tenantId } = caller;
    const { id: formId, version, schema } = form;
    const [locked] = await transaction.query(tenantId, LOCK_FORM, { formId });
    if (!locked) throw Problem.notFound('form');
    if (locked.version !== version) return undefined;
    const known = await knownOf(transaction, tenantId, formId, rows);
    const added = rows.filter(({ id }) => !known.has(id));
    if (added.length === 0) return known;
    await transaction.query(tenantId, IMPORT_SUBMISSIONS, groupOf(formId, added));
    const [submission] = added;
    if (submission && files.length > 0) {
      await this.submissionFiles.add(transaction, tenantId, { formId, submissionId: submission.id }, files);
    }
    const former = formerWith(locked.former, schema.fields, added);
    if (former !== undefined) await transaction.query(tenantId, KEEP_FORMER, { formId, former });
    // A search goes on after the latest submission that it has seen, so it would miss older ones.
    await this.words.addTo(transaction, tenantId, formId, added);
    await this.retention.look(transaction, tenantId, form);
    const resource = { type: 'form', id: formatId('frm', formId) };
    await recordChanges(transaction, tenantId, caller, [{ action: 'imported', resource, changes: ['submissions'] }]);
    return known;
  }
}

/** The submissions of a batch that are there already. */
type Known = ReadonlyMap<string, Problem | null>;
const NONE: Known = new Map();

async function knownOf(
  executor: Executor,
  tenantId: string,
  formId: string,
  submissions: readonly { id: string }[],
): Promise<Known> {
  const holders = await executor.query(tenantId, HOLDERS, { ids: submissions.map(({ id }) => id) });
  return new Map(holders.map(({ id, formId: holder }) => [id, holder === formId ? null : heldByOther()]));
}

/** One import: reads lines, and counts what became of them. */
class SubmissionImport implements ImportJob {
  readonly isCsv = false;
  readonly counts = { created: 0, unchanged: 0, failed: 0 };

  constructor(
    private readonly tenantId: string,
    private readonly commit: (submissions: readonly ImportedSubmission[], isHeavy: boolean) => Promise<Known>,
  ) {}

  async write(records: readonly StreamedRecord[], batch: ImportBatch): Promise<void> {
    const lines = await heavyWork.runIf(batch.isHeavy, this.tenantId, readAll(records));
    const submissions = new Map(lines.flatMap(({ submission }) => (submission ? [[submission.id, submission]] : [])));
    const known =
      submissions.size > 0 ? await batch.retry(() => this.commit([...submissions.values()], batch.isHeavy)) : NONE;
    const written = new Set<string>();
    for (const { line, submission, problem: unread } of lines) {
      const found = submission && known.get(submission.id);
      const problem = unread ?? found;
      if (problem) {
        this.counts.failed++;
        batch.report({ line, problem: presentProblem(problem) });
      } else if (submission) {
        const isKnown = found === null || written.has(submission.id);
        this.counts[isKnown ? 'unchanged' : 'created']++;
        written.add(submission.id);
      }
    }
  }
}

function* readAll(records: readonly StreamedRecord[]): SlicedWork<ReadLine[]> {
  const lines: ReadLine[] = [];
  for (const record of records) {
    try {
      lines.push({ line: record.line, submission: yield* readSubmission(record) });
    } catch (problem) {
      if (!(problem instanceof Problem) || problem instanceof FileProblem) throw problem;
      lines.push({ line: record.line, problem });
    }
    yield;
  }
  return lines;
}

/** A submission, with all that is stored because of it. */
interface SubmissionRows extends ImportedSubmission {
  fields: string;
  addresses: readonly string[] | null;
  digest: string;
  index: readonly IndexRow[];
}

function* rowsOf(
  tenantId: string,
  { id: formId, schema }: CompiledForm,
  submissions: readonly ImportedSubmission[],
  hashes?: SubmissionWithFiles['hashes'],
): SlicedWork<SubmissionRows[]> {
  const rows: SubmissionRows[] = [];
  for (const submission of submissions) {
    const { values, isSpam } = submission;
    const fields = JSON.stringify(values);
    const index = yield* rowsOfStored(schema.fields, { fields, isSpam });
    const addresses = addressHashes(tenantId, schema, values);
    rows.push({ ...submission, fields, addresses, digest: digestOf(formId, values, hashes), index });
    yield;
  }
  return rows;
}

function groupOf(formId: string, rows: readonly SubmissionRows[]): ImportedGroup {
  const index = rows.flatMap((row) => row.index.map((one) => ({ id: row.id, ...one })));
  const spam = rows.filter(({ isSpam }) => isSpam).length;
  return {
    formId,
    ids: rows.map(({ id }) => id),
    fields: rows.map(({ fields }) => fields),
    addresses: rows.map(({ addresses }) => addresses && `{${addresses.join(',')}}`),
    digests: rows.map(({ digest }) => digest),
    verdicts: rows.map(({ isSpam }) => (isSpam ? 'spam' : null)),
    reasons: rows.map(({ reasons }) => (reasons.length > 0 ? `{${reasons.join(',')}}` : null)),
    states: rows.map(({ state }) => state),
    notes: rows.map(({ note }) => note),
    origins: rows.map(({ origin }) => origin),
    locales: rows.map(({ locale }) => locale),
    times: rows.map(({ id }) => timeOf(id).toISOString()),
    ok: rows.length - spam,
    spam,
    valueIds: index.map(({ id }) => id),
    valueFields: index.map(({ field }) => field),
    valueKeys: index.map(({ key }) => key),
    valueDiscriminators: index.map(({ discriminator }) => discriminator),
  };
}

/** The names of former fields as JSON, if the submissions have values of fields that the form does not know yet. */
function formerWith(
  former: string | null,
  fields: readonly { name: string }[],
  submissions: readonly ImportedSubmission[],
): string | undefined {
  const before = JSON.parse(former ?? '[]') as string[];
  const known = new Set([...before, ...fields.map(({ name }) => name)]);
  const names = new Set(submissions.flatMap(({ values }) => Object.keys(values)).filter((name) => !known.has(name)));
  return names.size === 0 ? undefined : JSON.stringify([...before, ...names].slice(-MAX_FORMER));
}

function heldByOther(): Problem {
  return new Problem('conflict', 'A submission of another form has this ID.');
}
