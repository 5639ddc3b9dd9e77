import { LetterRow } from './letters/letter.entity.js';
import { AddressHour, AutoresponderRecipient, Mail, MailDay, MailHour } from './mail.entity.js';
import { MailNotice } from './mail-notice.entity.js';
import { Mail1763000006000 } from './migrations/1763000006000-mail.js';

export const entities = [Mail, MailHour, MailNotice, AutoresponderRecipient, AddressHour, MailDay, LetterRow];

export const migrations = [Mail1763000006000];

export const encrypted = [{ table: 'letters', prefix: 'mail', columns: ['content'] }];
