import { type NoParameters, statement } from '../database/statements/statement.js';
import { isDue, workStatements } from '../work/work.sql.js';

/** The tables of emails that the worker sends. */
export type MailTable = 'mails' | 'letters';

export const MAILS = { table: 'mails', key: 'submission_id' } as const;
export const LETTERS = { table: 'letters', key: 'id' } as const;

type Done = 'sent' | 'canceled' | 'skipped';

/**
 * `settle` records that an email was sent even if another worker has claimed it in the meantime, so that it is not sent again. A letter that needs
 * no further attempt keeps neither its content nor its recipient.
 */
export const WORK = {
  mails: workStatements<Done>('mails', MAILS),
  letters: workStatements<Done>('letters', LETTERS, ['content', 'recipient']),
};

/** The tables with due rows of the tenant. One statement, so that a tenant without letters does not pay for them. */
export const DUE_TABLES = statement<NoParameters, { table: MailTable }>()(
  'mails.due_tables',
  `SELECT 'mails' AS table FROM (SELECT 1 FROM mails w WHERE w.tenant_id = :tenantId AND ${isDue('w')} LIMIT 1) AS one
    UNION ALL
    SELECT 'letters' FROM (SELECT 1 FROM letters w WHERE w.tenant_id = :tenantId AND ${isDue('w')} LIMIT 1) AS one`,
);
