import { Entity } from 'typeorm';
import { WorkRow } from '../../work/work-row.entity.js';

/** A request for a review, until the letters to the members who want one are written. */
@Entity('review_mails')
export class ReviewMail extends WorkRow {}
