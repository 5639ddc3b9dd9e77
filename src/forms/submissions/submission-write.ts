import type { SlicedWork } from '../../admission/sliced-work.js';
import { formatId, newUuid, timeOf } from '../../ids/type-id.js';
import type { EventType } from '../../modules/module-manifest.js';
import type { CompiledForm } from '../form-schemas.js';
import type { Judgement } from '../spam/spam-checks.js';
import type { NewSubmission, SpamParameters } from './create-submission.sql.js';
import type { SubmissionGroup } from './create-submissions.sql.js';
import { addressHashes, digestOf } from './submission-hashes.js';
import { indexRowsSliced, sectionOfSpam } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import type { Visitor } from './submission-body.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

/** A submission, with all that is stored because of it. */
export interface SubmissionWrite {
  submission: NewSubmission;
  /** Undefined if the form has no spam settings. */
  checks: SpamParameters | undefined;
  /** Whether it stays, or is deleted when it was mailed and delivered (`store: false`). */
  isStored: boolean;
}

/** A submission that was checked. */
interface CheckedSubmission {
  visitor: Visitor;
  values: Readonly<Record<string, string>>;
  /** The hashes of the contents of its files, by field. */
  hashes: ReadonlyMap<string, readonly string[]>;
  judgement: Judgement | undefined;
}

export function* submissionOf(
  tenantId: string,
  { id: formId, version, schema, settings }: CompiledForm,
  { visitor, values, hashes, judgement }: CheckedSubmission,
): SlicedWork<SubmissionWrite> {
  const id = newUuid();
  const row = { id, fields: JSON.stringify(values), createdAt: timeOf(id).toISOString() };
  const indexRows = yield* indexRowsSliced(schema, values);
  const submission: NewSubmission = {
    formId,
    formVersion: version,
    submissionId: id,
    fields: row.fields,
    addresses: addressHashes(tenantId, schema, values),
    digest: digestOf(formId, values, hashes),
    origin: visitor.page,
    locale: visitor.locale,
    valueFields: indexRows.map(({ field }) => field),
    spamFields: indexRows.map(({ field }) => sectionOfSpam(field)),
    valueKeys: indexRows.map(({ key }) => key),
    valueDiscriminators: indexRows.map(({ discriminator }) => discriminator),
    eventIds: EVENTS.map(newUuid),
    eventTypes: EVENTS,
    eventData: presentSubmission(formId, row),
    at: row.createdAt,
  };
  return { submission, checks: judgement && checksOf(judgement), isStored: settings.store !== false };
}

function checksOf({ reasons, duplicatesSince, asksForProof, proof, isUntimed, isGuarded }: Judgement): SpamParameters {
  return {
    reasons,
    duplicatesSince,
    asksForProof,
    proofId: proof?.id ?? null,
    proofExpiresAt: proof?.expiresAt ?? null,
    untimed: isUntimed || null,
    guarded: isGuarded || null,
  };
}

/** Without spam settings, nothing is asked for. */
const NO_CHECKS: SpamParameters = {
  reasons: [],
  duplicatesSince: null,
  asksForProof: false,
  proofId: null,
  proofExpiresAt: null,
  untimed: null,
  guarded: null,
};

/** The parameters of the statement that writes a group. All of its submissions are for the same version of a form. */
export function groupOf(writes: readonly SubmissionWrite[]): SubmissionGroup {
  const submissions = writes.map(({ submission }) => submission);
  const checks = writes.map((one) => one.checks ?? NO_CHECKS);
  const { formId, formVersion } = submissions[0]!;
  // The version of the form decides what is asked for. The window of duplicates begins with that of the first.
  const { duplicatesSince, asksForProof } = checks[0]!;
  return {
    formId,
    formVersion,
    ids: submissions.map(({ submissionId }) => submissionId),
    data: submissions.map(({ eventData }) => eventData),
    eventIds: submissions.map(({ eventIds }) => eventIds[0]!),
    addresses: submissions.map(({ addresses }) => addresses && `{${addresses.join(',')}}`),
    reasons: checks.map(({ reasons }) => `{${reasons.join(',')}}`),
    digests: submissions.map(({ digest }) => digest),
    origins: submissions.map(({ origin }) => origin),
    locales: submissions.map(({ locale }) => locale),
    times: submissions.map(({ at }) => at),
    proofIds: checks.map(({ proofId }) => proofId),
    proofsExpireAt: checks.map(({ proofExpiresAt }) => proofExpiresAt),
    duplicatesSince,
    asksForProof,
    untimed: checks.map(({ untimed }) => untimed && 'true'),
    guarded: checks.map(({ guarded }) => guarded && 'true'),
    valuePlaces: submissions.flatMap(({ valueFields }, index) => valueFields.map(() => index + 1)),
    valueFields: submissions.flatMap(({ valueFields }) => valueFields),
    valueKeys: submissions.flatMap(({ valueKeys }) => valueKeys),
    valueDiscriminators: submissions.flatMap(({ valueDiscriminators }) => valueDiscriminators),
  };
}

/** What no two submissions of a group may have in common. */
export function usedOnce({ submission, checks }: SubmissionWrite): string[] {
  const digests = checks?.duplicatesSince ? [submission.digest] : [];
  return checks?.proofId ? [...digests, checks.proofId] : digests;
}

/** A submission, as the audit log names it. */
export function submissionResource(id: string): { type: string; id: string } {
  return { type: 'submission', id: formatId('sub', id) };
}
