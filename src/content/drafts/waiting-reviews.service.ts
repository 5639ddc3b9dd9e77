import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { formatId } from '../../ids/type-id.js';
import { tooManyChanges } from '../entries/writes/attempts.js';
import { Schemas } from '../schemas.js';
import { FIND_WAITING_REVIEW } from './reviews.sql.js';

/** The title is read again if its content type is changed meanwhile. */
const MAX_TRIES = 5;

/** A review that waits, with what names its entry. */
export interface WaitingReview {
  /** The name of who asked for it, as the draft shows it; undefined without a name. */
  by?: string;
  /** The UUID of the member who asked for it; null for a key. */
  memberId: string | null;
  at: string;
  note?: string;
  /** The name and the slug of the content type. */
  typeName: string;
  typeSlug: string;
  /** The value of the first text field in the draft, cut to 200 characters; without one, the public ID. */
  title: string;
}

/** Reads reviews for those who are told of them. */
@Injectable()
export class WaitingReviews {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Returns undefined if the draft does not wait for review, or does not exist any more. */
  async find(tenantId: string, typeId: string, entryId: string): Promise<WaitingReview | undefined> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.schemas.find({ tenantId, share: tenantId }, typeId, tries > 1);
      if (!type) return undefined;
      const titled = { typeId, entryId, title: type.schema.title?.name ?? null };
      const [row] = await this.database.query(tenantId, FIND_WAITING_REVIEW, titled);
      if (!row) return undefined;
      if (row.typeVersion !== type.version) continue;
      const { reviewBy: by, reviewNote: note, reviewAt: at, memberId, typeName, typeSlug, title } = row;
      return {
        ...(by !== null && { by }),
        memberId,
        at,
        ...(note !== null && { note }),
        typeName,
        typeSlug,
        title: title?.trim() || formatId('ent', entryId),
      };
    }
    throw tooManyChanges();
  }
}
