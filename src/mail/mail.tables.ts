import { AutoresponderDay, AutoresponderHour, AutoresponderRecipient, Mail, MailHour } from './mail.entity.js';
import { MailNotice } from './mail-notice.entity.js';
import { Mail1763000006000 } from './migrations/1763000006000-mail.js';

export const entities = [Mail, MailHour, MailNotice, AutoresponderRecipient, AutoresponderHour, AutoresponderDay];

export const migrations = [Mail1763000006000];
