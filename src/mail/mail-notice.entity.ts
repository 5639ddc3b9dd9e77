import { Entity } from 'typeorm';
import { WorkRow } from '../work/work-row.entity.js';

/** An email to a tenant about an event of its own. */
@Entity('mail_notices')
export class MailNotice extends WorkRow {}
