import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { Autoresponder, NotifyRule } from '../forms/settings/form-settings.js';
import type { NewMails } from './mails.sql.js';
import { furtherMailId, spelledAlike, wantedMails, withinLimit } from './recipients.js';
import { type Conditions, FORMS, type NotifiedFormRow, TRUE_CONDITIONS } from './recipients.sql.js';
import type { OtherMails } from './other-mails.sql.js';

/** A submission that may need emails, by UUIDs. */
export interface Submitted {
  id: string;
  formId: string;
}

/** The emails of submissions. `others` are not counted towards the hour of a form: they are no notifications, or are not sent. */
export interface Planned {
  notifications: NewMails;
  others: OtherMails;
}

interface FormMails {
  notifyEmail: string | null;
  rules: readonly NotifyRule[];
  multiple: ReadonlySet<string>;
  autoresponder: Autoresponder | undefined;
}

const OVER_LIMIT = 'The submission needs more emails than are sent for one.';

/** Decides which emails submissions need, by the settings that their forms have when the submissions are relayed. */
@Injectable()
export class SubmissionMails {
  async plan(transaction: Transaction, tenantId: string, submissions: readonly Submitted[]): Promise<Planned> {
    const formIds = [...new Set(submissions.map(({ formId }) => formId))];
    const rows = await transaction.query(tenantId, FORMS, { formIds });
    const forms = new Map(rows.map((row) => [row.id, formOf(row)]));
    const isTrue = await this.conditions(transaction, tenantId, submissions, forms);
    const planned = empty();
    for (const submission of submissions) {
      const form = forms.get(submission.formId);
      if (!form) continue;
      const rules = form.rules.filter(({ when }, index) => !when || isTrue(submission, index));
      add(planned, submission, form, rules);
    }
    return planned;
  }

  /** Tests the conditions of rules in the database. Submissions may be large. */
  private async conditions(
    transaction: Transaction,
    tenantId: string,
    submissions: readonly Submitted[],
    forms: ReadonlyMap<string, FormMails>,
  ): Promise<(submission: Submitted, rule: number) => boolean> {
    const asked = submissions.flatMap(({ id, formId }) => {
      const form = forms.get(formId);
      return (form?.rules ?? []).flatMap(({ when }, rule) =>
        when ? [{ id, formId, rule, ...when, multiple: form?.multiple.has(when.field) === true }] : [],
      );
    });
    if (asked.length === 0) return () => false;
    const conditions: Conditions = {
      submissionIds: asked.map(({ id }) => id),
      formIds: asked.map(({ formId }) => formId),
      rules: asked.map(({ rule }) => rule),
      fields: asked.map(({ field }) => field),
      values: asked.map(({ equals }) => equals),
      separators: asked.map(({ multiple }) => (multiple ? ', ' : null)),
    };
    const found = await transaction.query(tenantId, TRUE_CONDITIONS, conditions);
    const names = new Set(found.map(({ submissionId, rule }) => `${submissionId} ${rule}`));
    return ({ id }, rule) => names.has(`${id} ${rule}`);
  }
}

function formOf({ notifyEmail, rules, autoresponder, fields }: NotifiedFormRow): FormMails {
  const definitions = fields === null ? [] : (JSON.parse(fields) as FieldDefinition[]);
  return {
    notifyEmail,
    rules: rules === null ? [] : spelledAlike(notifyEmail, JSON.parse(rules) as NotifyRule[]),
    multiple: new Set(definitions.filter(({ multiple }) => multiple).map(({ name }) => name)),
    autoresponder: autoresponder === null ? undefined : (JSON.parse(autoresponder) as Autoresponder),
  };
}

function empty() {
  return {
    notifications: {
      ids: [] as string[],
      submissionIds: [] as string[],
      formIds: [] as string[],
      recipients: [] as string[],
      subjects: [] as (string | null)[],
    },
    others: {
      ids: [] as string[],
      submissionIds: [] as string[],
      formIds: [] as string[],
      recipients: [] as string[],
      subjects: [] as (string | null)[],
      fields: [] as (string | null)[],
      reasons: [] as (string | null)[],
    },
  };
}

function add(
  { notifications, others }: ReturnType<typeof empty>,
  { id, formId }: Submitted,
  { notifyEmail, autoresponder }: FormMails,
  rules: readonly NotifyRule[],
): void {
  const { sent, skipped } = withinLimit(wantedMails(notifyEmail, rules), { hasAutoresponder: !!autoresponder });
  let isFirst = true;
  const put = (
    to: (typeof others | typeof notifications) & { ids: string[] },
    recipient: string,
    subject: string | null,
  ) => {
    // A name for the email to the visitor, whose address is in the submission only.
    to.ids.push(isFirst ? id : furtherMailId(id, recipient));
    isFirst = false;
    to.submissionIds.push(id);
    to.formIds.push(formId);
    to.recipients.push(recipient);
    to.subjects.push(subject);
  };
  for (const { recipient, subject } of sent) put(notifications, recipient, subject);
  for (const { recipient, subject } of skipped) {
    put(others, recipient, subject);
    others.fields.push(null);
    others.reasons.push(OVER_LIMIT);
  }
  if (!autoresponder) return;
  put(others, '', null);
  others.fields.push(autoresponder.field);
  others.reasons.push(null);
}
