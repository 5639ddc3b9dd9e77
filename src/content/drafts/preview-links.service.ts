import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { PublicUrl } from '../../http/public-url.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { Tenants } from '../../tenants/tenants.js';
import { EntryChanges, entryResource } from '../entries/entry-changes.js';
import type { ReadingRequest } from '../reading/reading-request.js';
import { type Reading, Readings } from '../reading/readings.service.js';
import type { Shape } from '../reading/shape.js';
import { Schemas } from '../schemas.js';
import { END_PREVIEW_LINKS, GET_PREVIEW_LINKS } from './drafts.sql.js';
import { type PreviewTarget, PreviewTokens } from './preview-token.js';
import { type Preview, PreviewsService } from './previews.service.js';

/** A link that shows one entry with the values of its draft to everybody who has it. */
export interface PreviewLink {
  url: string;
  expiresAt: Date;
}

/** Makes, follows and ends preview links. A link is not stored: its token says what it shows and until when. */
@Injectable()
export class PreviewLinksService {
  private readonly tokens: PreviewTokens;

  constructor(
    { encryptionKeys }: Config,
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly changes: EntryChanges,
    private readonly previews: PreviewsService,
    private readonly readings: Readings,
    private readonly tenants: Tenants,
    private readonly publicUrl: PublicUrl,
  ) {
    this.tokens = new PreviewTokens(encryptionKeys);
  }

  /** Returns a link that is valid for `seconds`. Throws a 404 if there is no such entry. */
  async create(caller: Caller, typeName: IdOrSlug, entryId: string, seconds: number): Promise<PreviewLink> {
    const { tenantId, visibleTypes } = caller;
    const types = visibleTypes && [...visibleTypes];
    const current = await this.schemas.get(tenantId, typeName);
    const { before, type } = await this.changes.read({ tenantId, typeName, entryId }, current, GET_PREVIEW_LINKS);
    const expires = Math.floor(Date.now() / 1000) + seconds;
    const token = this.tokens.sign({ tenantId, typeId: type.id, entryId, links: before.links, expires, types });
    return { url: `${this.publicUrl.base}/v1/preview/${token}`, expiresAt: new Date(expires * 1000) };
  }

  /** Ends all links of the entry. */
  async end(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<void> {
    const { tenantId } = caller;
    const name = { tenantId, typeName, entryId };
    await this.changes.inTurn(name, async (current) => {
      const { type } = await this.changes.read(name, current, GET_PREVIEW_LINKS);
      const ended = await this.database.query(tenantId, END_PREVIEW_LINKS, {
        typeId: type.id,
        typeVersion: type.version,
        entryId,
        audit: auditOf(caller, { action: 'preview_links_ended', resource: entryResource(entryId) }),
      });
      return ended.length > 0 ? true : undefined;
    });
  }

  /** Returns what the token shows; undefined if it is not valid or has expired. */
  targetOf(token: string): PreviewTarget | undefined {
    const target = this.tokens.read(token, Date.now());
    return target && this.tenants.find(target.tenantId) ? target : undefined;
  }

  /** Returns the entry, and what the request asks for. Throws the same 404 for everything that the link no longer shows. */
  async follow(
    caller: Caller,
    target: PreviewTarget,
    request: ReadingRequest | undefined,
    shape: Shape,
  ): Promise<Preview & { reading?: Reading }> {
    return this.readings.ofEntry(caller, request, { mode: 'preview link', shape }, () => this.shown(caller, target));
  }

  private async shown(caller: Caller, { typeId, entryId, links }: PreviewTarget): Promise<Preview> {
    const preview = await this.previews.read(caller, { id: typeId }, entryId).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found' ? noPreview() : error;
    });
    if (preview.links !== links) throw noPreview();
    return preview;
  }
}

export function noPreview(): Problem {
  return Problem.notFound('preview', 'Preview links expire, and can be ended earlier.');
}
