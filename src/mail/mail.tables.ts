import { AutoresponderDay, AutoresponderHour, AutoresponderRecipient, Mail, MailHour } from './mail.entity.js';
import { MailNotice } from './mail-notice.entity.js';
import { AutoresponderRecipients1763000161700 } from './migrations/1763000161700-autoresponder-recipients.js';
import { FailedMails1763000024000 } from './migrations/1763000024000-failed-mails.js';
import { MailDigests1763000013000 } from './migrations/1763000013000-mail-digests.js';
import { MailNotices1763000131500 } from './migrations/1763000131500-mail-notices.js';
import { Mails1763000003000 } from './migrations/1763000003000-mails.js';
import { SeveralMails1763000124500 } from './migrations/1763000124500-several-mails.js';
import { Autoresponders1763000124600 } from './migrations/1763000124600-autoresponders.js';

export const entities = [Mail, MailHour, MailNotice, AutoresponderRecipient, AutoresponderHour, AutoresponderDay];

export const migrations = [
  Mails1763000003000,
  MailDigests1763000013000,
  FailedMails1763000024000,
  SeveralMails1763000124500,
  Autoresponders1763000124600,
  MailNotices1763000131500,
  AutoresponderRecipients1763000161700,
];
