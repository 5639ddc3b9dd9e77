import { Entity } from 'typeorm';
import { WorkRow } from '../../../src/work/work-row.entity.js';

/** A submission that is sent to the CRM. */
@Entity('crm_jobs')
export class CrmJob extends WorkRow {}
