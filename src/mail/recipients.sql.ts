import { statement } from '../database/statements/statement.js';

/** What a form says about the emails for its submissions. The last three are JSON text. */
export interface NotifiedFormRow {
  id: string;
  notifyEmail: string | null;
  rules: string | null;
  autoresponder: string | null;
  /** Null if there are no rules. */
  fields: string | null;
}

/** Reads the forms whose submissions need emails. */
export const FORMS = statement<{ formIds: readonly string[] }, NotifiedFormRow>()(
  'mails.forms',
  `SELECT id, notify_email AS "notifyEmail", settings -> 'notify' AS rules, settings -> 'autoresponder' AS autoresponder,
      CASE WHEN settings -> 'notify' IS NOT NULL THEN fields END AS fields
    FROM forms WHERE tenant_id = :tenantId AND id = ANY (:formIds::uuid[])
      AND (notify_email IS NOT NULL OR settings -> 'notify' IS NOT NULL OR settings -> 'autoresponder' IS NOT NULL)`,
);

/** Conditions of rules, each with the submission that it is about at the same position. */
export interface Conditions {
  submissionIds: readonly string[];
  formIds: readonly string[];
  /** The positions of the rules in the settings. */
  rules: readonly number[];
  fields: readonly string[];
  values: readonly string[];
  /** What stands between the values of a field that may have several; null for other fields. */
  separators: readonly (string | null)[];
}

/** Returns the conditions that are true. An empty value stands for none. */
export const TRUE_CONDITIONS = statement<Conditions, { submissionId: string; rule: number }>()(
  'mails.true_conditions',
  `SELECT c.submission_id AS "submissionId", c.rule
    FROM unnest(:submissionIds::uuid[], :formIds::uuid[], :rules::integer[], :fields::text[], :values::text[], :separators::text[])
      AS c (submission_id, form_id, rule, field, value, separator)
    CROSS JOIN LATERAL (
      SELECT coalesce(fields ->> c.field, '') AS value FROM submissions
      WHERE tenant_id = :tenantId AND form_id = c.form_id AND id = c.submission_id LIMIT 1
    ) AS s
    WHERE s.value = c.value OR (c.separator IS NOT NULL AND c.value = ANY (string_to_array(s.value, c.separator)))`,
);
