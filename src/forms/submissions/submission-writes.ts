import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { publicKey } from '../../admission/public-key.js';
import { Database, type Executor } from '../../database/database.js';
import { currentUnitOfWork } from '../../database/unit-of-work.js';
import { isOvertaken, isRefusedValue, problemOfDatabase } from '../../errors/database-problem.js';
import { Problem } from '../../errors/problem.js';
import { type Creation, Limits } from '../../tenants/limits.js';
import { SUBMISSIONS } from '../form-usage.js';
import { CREATE_CHECKED_SUBMISSION } from '../spam/checked-submission.sql.js';
import type { Judgement } from '../spam/spam-checks.js';
import { CREATE_SUBMISSIONS } from './submission-group.sql.js';
import { CREATE_SUBMISSION, type NewSubmission, type Written } from './submissions.sql.js';

/** A submission to write. */
export interface JudgedSubmission {
  submission: NewSubmission;
  /** Undefined if the form has no spam settings. */
  judgement: Judgement | undefined;
}

interface Waiting extends JudgedSubmission {
  resolve: (written: Written | undefined) => void;
  reject: (error: unknown) => void;
}

/** Submissions of a group, and the characters of their events together. A group of this size takes PostgreSQL a few milliseconds. */
const MAX_GROUP = { submissions: 50, characters: 256 * 1024 };

/**
 * Writes submissions. Those that reach a form while others of it are being written are written together afterwards, as one statement and one
 * commit (docs/decisions/grouped-submissions.md). Each is answered when its group is committed.
 */
@Injectable()
export class SubmissionWrites {
  /** What waits for the group in progress, by form and version. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Database,
    private readonly limits: Limits,
  ) {}

  /** Returns undefined if the form is no longer in the version of the submission. `isHeavy`: the submission is too large for a group. */
  async write(tenantId: string, one: JudgedSubmission, isHeavy: boolean): Promise<Written | undefined> {
    if (isHeavy || !this.mayBeGrouped(tenantId)) return this.writeAlone(tenantId, one);
    const { formId, formVersion } = one.submission;
    const key = `${tenantId} ${formId} ${formVersion}`;
    const waiting = this.waiting.get(key);
    return new Promise((resolve, reject) => {
      const queue = waiting ?? [];
      queue.push({ ...one, resolve, reject });
      if (waiting) return;
      this.waiting.set(key, queue);
      void this.writeAll(tenantId, key, queue);
    });
  }

  /** Each creation under a limit, and each commit of a request, is a transaction of its own. Citus would not send a group to one server. */
  private mayBeGrouped(tenantId: string): boolean {
    const isLimited = this.limits.of(tenantId, SUBMISSIONS) !== undefined;
    return !isLimited && !this.database.isDistributed && !currentUnitOfWork(tenantId);
  }

  private async writeAll(tenantId: string, key: string, queue: Waiting[]): Promise<void> {
    // Requests that arrived together are handled in the same iteration of the event loop.
    await setImmediate();
    while (queue.length > 0) await this.writeGroup(tenantId, takeGroup(queue), queue);
    this.waiting.delete(key);
  }

  private async writeGroup(tenantId: string, group: readonly Waiting[], queue: Waiting[]): Promise<void> {
    if (group.length === 1) return this.settle(tenantId, group);
    try {
      const rows = await this.database.query(tenantId, CREATE_SUBMISSIONS, parametersOf(group), publicKey(tenantId));
      const stored = new Set(rows.map(({ id }) => id));
      for (const { submission, resolve } of group) {
        resolve(rows.length > 0 ? { isStored: stored.has(submission.submissionId) } : undefined);
      }
    } catch (error) {
      // Nothing was written. One submission must not be the reason why others fail.
      if (isRefusedValue(error) || isOvertaken(error)) return this.settle(tenantId, group);
      for (const { reject } of group) reject(error);
      // Those that wait would wait for the same again, one group after the other.
      if (error instanceof Problem || problemOfDatabase(error)) for (const { reject } of queue.splice(0)) reject(error);
    }
  }

  /** Writes each by itself. */
  private async settle(tenantId: string, group: readonly Waiting[]): Promise<void> {
    for (const one of group) await this.writeAlone(tenantId, one).then(one.resolve, one.reject);
  }

  private writeAlone(tenantId: string, one: JudgedSubmission): Promise<Written | undefined> {
    return writeSubmission(this.limits.executor(submissionOf(tenantId)), tenantId, one);
  }
}

/** Writes one submission, which may be part of a transaction. */
export async function writeSubmission(
  executor: Executor,
  tenantId: string,
  { submission, judgement }: JudgedSubmission,
): Promise<Written | undefined> {
  if (!judgement) return (await executor.query(tenantId, CREATE_SUBMISSION, submission))[0];
  const [written] = await executor.query(tenantId, CREATE_CHECKED_SUBMISSION, {
    ...submission,
    ...parametersOfJudgement(judgement),
    spamFields: submission.valueFields.map((name) => `?${name}`),
  });
  return written;
}

export function submissionOf(tenantId: string): Creation {
  return { tenantId, resource: SUBMISSIONS, amount: 1, share: publicKey(tenantId), isPublic: true };
}

/** Takes the submissions that can be written together from the queue. Equal ones, and those with the same proof, follow in a later group. */
function takeGroup(queue: Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  const taken = new Set<string>();
  let characters = 0;
  for (const one of queue) {
    characters += one.submission.eventData.length;
    if (group.length === MAX_GROUP.submissions || (group.length > 0 && characters > MAX_GROUP.characters)) break;
    const once = usedOnce(one);
    if (once.some((id) => taken.has(id))) break;
    for (const id of once) taken.add(id);
    group.push(one);
  }
  queue.splice(0, group.length);
  return group;
}

/** What no two submissions of a group may have in common. */
function usedOnce({ submission, judgement }: JudgedSubmission): string[] {
  const digests = judgement?.duplicatesSince ? [submission.digest] : [];
  return judgement?.proof ? [...digests, judgement.proof.id] : digests;
}

function parametersOf(group: readonly JudgedSubmission[]) {
  const submissions = group.map(({ submission }) => submission);
  const judgements = group.map(({ judgement }) => parametersOfJudgement(judgement));
  const { formId, formVersion } = submissions[0]!;
  // The version of the form decides what is asked for. The window of duplicates begins with that of the first.
  const { duplicatesSince, asksForProof } = judgements[0]!;
  return {
    formId,
    formVersion,
    ids: submissions.map(({ submissionId }) => submissionId),
    data: submissions.map(({ eventData }) => eventData),
    eventIds: submissions.map(({ eventIds }) => eventIds[0]!),
    addresses: submissions.map(({ addresses }) => addresses && `{${addresses.join(',')}}`),
    reasons: judgements.map(({ reasons }) => `{${reasons.join(',')}}`),
    digests: submissions.map(({ digest }) => digest),
    origins: submissions.map(({ origin }) => origin),
    locales: submissions.map(({ locale }) => locale),
    times: submissions.map(({ at }) => at),
    proofIds: judgements.map(({ proofId }) => proofId),
    proofsExpireAt: judgements.map(({ proofExpiresAt }) => proofExpiresAt),
    duplicatesSince,
    asksForProof,
    untimed: judgements.map(({ untimed }) => untimed && 'true'),
    guarded: judgements.map(({ guarded }) => guarded && 'true'),
    valuePlaces: submissions.flatMap(({ valueFields }, index) => valueFields.map(() => index + 1)),
    valueFields: submissions.flatMap(({ valueFields }) => valueFields),
    valueKeys: submissions.flatMap(({ valueKeys }) => valueKeys),
    valueDiscriminators: submissions.flatMap(({ valueDiscriminators }) => valueDiscriminators),
  };
}

/** Without spam settings, nothing is asked for. */
function parametersOfJudgement(judgement: Judgement | undefined) {
  const { reasons = [], duplicatesSince = null, asksForProof = false, proof, isUntimed, isGuarded } = judgement ?? {};
  return {
    reasons,
    duplicatesSince,
    asksForProof,
    proofId: proof?.id ?? null,
    proofExpiresAt: proof?.expiresAt ?? null,
    untimed: isUntimed ? (true as const) : null,
    guarded: isGuarded ? (true as const) : null,
  };
}
