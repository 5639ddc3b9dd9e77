import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { publicKey } from '../../admission/public-key.js';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { currentUnitOfWork } from '../../database/unit-of-work.js';
import { isOvertaken, isRefusedValue, problemOfDatabase } from '../../errors/database-problem.js';
import { Problem } from '../../errors/problem.js';
import { type Creation, Limits } from '../../tenants/limits.js';
import type { StoredFile } from '../files/received-files.js';
import { SubmissionFiles } from '../files/submission-files.js';
import { SUBMISSIONS } from '../form-usage.js';
import { UnstoredSubmissions } from '../retention/unstored-submissions.js';
import { CREATE_CHECKED_SUBMISSION, CREATE_SUBMISSION, type Written } from './create-submission.sql.js';
import { CREATE_SUBMISSIONS } from './create-submissions.sql.js';
import { groupOf, type SubmissionWrite, usedOnce } from './submission-write.js';

interface Waiting {
  write: SubmissionWrite;
  resolve: (written: Written | undefined) => void;
  reject: (error: unknown) => void;
}

interface Options {
  /** The submission is too large for a group. */
  isHeavy: boolean;
  files: readonly StoredFile[];
}

/** Submissions of a group, and the characters of their events together. A group of this size takes PostgreSQL a few milliseconds. */
const MAX_GROUP = { submissions: 50, characters: 256 * 1024 };

/**
 * Runs the statement that commits a submission with its index rows, its counter and its event. Submissions that reach a form while others of it
 * are being written are written together afterwards, as one statement and one commit (docs/decisions/grouped-submissions.md). Each is answered
 * when its group is committed.
 */
@Injectable()
export class SubmissionWriter {
  /** What waits for the group in progress, by form and version. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Database,
    private readonly limits: Limits,
    private readonly files: SubmissionFiles,
    private readonly unstored: UnstoredSubmissions,
  ) {}

  /** Returns false if the form is no longer in the version of the submission: then nothing is written. */
  async write(tenantId: string, write: SubmissionWrite, { isHeavy, files }: Options): Promise<boolean> {
    if (files.length > 0 || !write.isStored) return this.inTransaction(tenantId, write, files);
    const isAlone = isHeavy || !this.mayBeGrouped(tenantId);
    const written = await (isAlone ? this.alone(tenantId, write) : this.inGroup(tenantId, write));
    return written?.isStored === false ? this.inTransaction(tenantId, write, []) : written !== undefined;
  }

  private async inTransaction(
    tenantId: string,
    write: SubmissionWrite,
    files: readonly StoredFile[],
  ): Promise<boolean> {
    const { formId, submissionId } = write.submission;
    const creations = [creationOf(tenantId), ...this.files.creationsOf(tenantId, files)] as const;
    const written = await this.database.attempt(tenantId, () =>
      this.limits.within(creations, async (transaction) => {
        let found = await runStatement(transaction, tenantId, write);
        // An equal submission was in progress. Now it is committed, and its slot is locked.
        if (found?.isStored === false) found = await runStatement(transaction, tenantId, write);
        // Nothing is locked then.
        if (!found) return undefined;
        if (files.length > 0) await this.files.add(transaction, tenantId, { formId, submissionId }, files);
        if (!write.isStored) await this.unstored.mark(transaction, tenantId, formId, submissionId);
        return found;
      }),
    );
    return written !== undefined;
  }

  private alone(tenantId: string, write: SubmissionWrite): Promise<Written | undefined> {
    return runStatement(this.limits.executor(creationOf(tenantId)), tenantId, write);
  }

  /** Each creation under a limit, and each commit of a request, is a transaction of its own. Citus would not send a group to one server. */
  private mayBeGrouped(tenantId: string): boolean {
    const isLimited = this.limits.of(tenantId, SUBMISSIONS) !== undefined;
    return !isLimited && !this.database.isDistributed && !currentUnitOfWork(tenantId);
  }

  private inGroup(tenantId: string, write: SubmissionWrite): Promise<Written | undefined> {
    const { formId, formVersion } = write.submission;
    const key = `${tenantId} ${formId} ${formVersion}`;
    const waiting = this.waiting.get(key);
    return new Promise((resolve, reject) => {
      const queue = waiting ?? [];
      queue.push({ write, resolve, reject });
      if (waiting) return;
      this.waiting.set(key, queue);
      void this.writeQueue(tenantId, key, queue);
    });
  }

  private async writeQueue(tenantId: string, key: string, queue: Waiting[]): Promise<void> {
    // Requests that arrived together are handled in the same iteration of the event loop.
    await setImmediate();
    while (queue.length > 0) await this.writeGroup(tenantId, takeGroup(queue), queue);
    this.waiting.delete(key);
  }

  private async writeGroup(tenantId: string, group: readonly Waiting[], queue: Waiting[]): Promise<void> {
    if (group.length === 1) return this.writeEach(tenantId, group);
    try {
      const parameters = groupOf(group.map(({ write }) => write));
      const rows = await this.database.query(tenantId, CREATE_SUBMISSIONS, parameters, publicKey(tenantId));
      const stored = new Set(rows.map(({ id }) => id));
      for (const { write, resolve } of group) {
        resolve(rows.length > 0 ? { isStored: stored.has(write.submission.submissionId) } : undefined);
      }
    } catch (error) {
      // Nothing was written. One submission must not be the reason why others fail.
      if (isRefusedValue(error) || isOvertaken(error)) return this.writeEach(tenantId, group);
      for (const { reject } of group) reject(error);
      // Those that wait would wait for the same again, one group after the other.
      if (error instanceof Problem || problemOfDatabase(error)) for (const { reject } of queue.splice(0)) reject(error);
    }
  }

  private async writeEach(tenantId: string, group: readonly Waiting[]): Promise<void> {
    for (const { write, resolve, reject } of group) await this.alone(tenantId, write).then(resolve, reject);
  }
}

/** Writes one submission, which may be part of a transaction. */
async function runStatement(
  executor: Executor,
  tenantId: string,
  { submission, checks }: SubmissionWrite,
): Promise<Written | undefined> {
  const rows = checks
    ? await executor.query(tenantId, CREATE_CHECKED_SUBMISSION, { ...submission, ...checks })
    : await executor.query(tenantId, CREATE_SUBMISSION, submission);
  return rows[0];
}

function creationOf(tenantId: string): Creation {
  return { tenantId, resource: SUBMISSIONS, amount: 1, share: publicKey(tenantId), isPublic: true };
}

/** Takes the submissions that can be written together from the queue. Equal ones, and those with the same proof, follow in a later group. */
function takeGroup(queue: Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  const taken = new Set<string>();
  let characters = 0;
  for (const one of queue) {
    characters += one.write.submission.eventData.length;
    if (group.length === MAX_GROUP.submissions || (group.length > 0 && characters > MAX_GROUP.characters)) break;
    const once = usedOnce(one.write);
    if (once.some((id) => taken.has(id))) break;
    for (const id of once) taken.add(id);
    group.push(one);
  }
  queue.splice(0, group.length);
  return group;
}
