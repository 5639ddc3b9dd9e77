import { Mail, MailHour } from './mail.entity.js';
import { FailedMails1763000024000 } from './migrations/1763000024000-failed-mails.js';
import { MailDigests1763000013000 } from './migrations/1763000013000-mail-digests.js';
import { Mails1763000003000 } from './migrations/1763000003000-mails.js';

export const entities = [Mail, MailHour];

export const migrations = [Mails1763000003000, MailDigests1763000013000, FailedMails1763000024000];
