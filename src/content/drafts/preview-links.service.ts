import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../access/api-keys.js';
import { Sessions } from '../../access/sessions.js';
import type { UsableKey } from '../../access/usable-key.js';
import { assertMayRead, mayRead } from '../../access/may-read.js';
import { NarrowedAccess } from '../../access/narrowing/narrowed-access.js';
import { publicKey } from '../../admission/public-key.js';
import { auditOf } from '../../audit/record-changes.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { PublicUrl } from '../../http/public-url.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { parseId } from '../../ids/type-id.js';
import { Tenants } from '../../tenants/tenants.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import { entryResource } from '../entries/writes/entry-write.js';
import type { ReadingRequest } from '../reading/reading-request.js';
import { type ReadResult, EntryReader } from '../reading/entry-reader.service.js';
import type { Shape } from '../reading/shape.js';
import { Schemas } from '../schemas.js';
import { END_PREVIEW_LINKS, GET_PREVIEW_LINKS, RECORD_PREVIEW_LINK, TYPE_NAME } from './drafts.sql.js';
import { defaultJson } from '../locales/shown-json.js';
import { previewHtml, previewHtmlHeaders } from './preview-html.js';
import { type PreviewTarget, PreviewTokens } from './preview-token.js';
import { type Preview, PreviewsService } from './previews.service.js';

/** A link that shows one entry with the values of its draft to everybody who has it. */
interface PreviewLink {
  url: string;
  expiresAt: Date;
}

const NO_SCOPES: ReadonlySet<string> = new Set();

/**
 * Makes, follows and ends preview links. A link is not stored: its token says what it shows, until when, and which API key made it. It shows
 * nothing that this key may not read.
 */
@Injectable()
export class PreviewLinksService {
  private readonly tokens: PreviewTokens;

  constructor(
    { encryptionKeys }: Config,
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly previews: PreviewsService,
    private readonly reader: EntryReader,
    private readonly tenants: Tenants,
    private readonly publicUrl: PublicUrl,
    private readonly keys: ApiKeys,
    private readonly sessions: Sessions,
    private readonly narrowed: NarrowedAccess,
    private readonly schemas: Schemas,
  ) {
    this.tokens = new PreviewTokens(encryptionKeys);
  }

  /** Returns a link that is valid for `seconds`, or as long as the key of the caller. Throws a 404 if there is no such entry, and a 403 if the caller may not read its draft. */
  async create(caller: Caller, typeName: IdOrSlug, entryId: string, seconds: number): Promise<PreviewLink> {
    const { tenantId } = caller;
    const name = { tenantId, typeName, entryId };
    const { makerId, root, expiresAt = Infinity } = await this.makerOf(caller);
    for await (const { before, type } of this.attempts.onEntry(name, GET_PREVIEW_LINKS)) {
      assertMayRead(caller, { area: 'content', typeId: type.id });
      const recorded = await this.attempts.commit(this.database, tenantId, RECORD_PREVIEW_LINK, {
        typeId: type.id,
        typeVersion: type.version,
        entryId,
        audit: auditOf(caller, { action: 'preview_link_created', resource: entryResource(entryId) }),
      });
      if (recorded.length === 0) continue;
      const expires = Math.floor(Math.min(Date.now() + seconds * 1000, expiresAt) / 1000);
      const token = this.tokens.sign(
        { tenantId, typeId: type.id, entryId, makerId, links: before.links, expires },
        root,
      );
      return { url: `${this.publicUrl.base}/v1/preview/${token}`, expiresAt: new Date(expires * 1000) };
    }
    throw tooManyChanges();
  }

  /** Ends all links of the entry. */
  async end(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<void> {
    const { tenantId } = caller;
    for await (const { type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_PREVIEW_LINKS)) {
      const ended = await this.attempts.commit(this.database, tenantId, END_PREVIEW_LINKS, {
        typeId: type.id,
        typeVersion: type.version,
        entryId,
        audit: auditOf(caller, { action: 'preview_links_ended', resource: entryResource(entryId) }),
      });
      if (ended.length > 0) return;
    }
    throw tooManyChanges();
  }

  /**
   * Returns what the token shows, and the caller who follows it: one that reads what the key that made the link may read now. Undefined if the
   * token is not valid or has expired, and if this key is not valid any more or may not read the draft.
   */
  async targetOf(token: string): Promise<{ target: PreviewTarget; caller: Caller } | undefined> {
    const target = this.tokens.read(token, Date.now());
    if (!target || !this.tenants.find(target.tenantId)) return undefined;
    const { tenantId, typeId } = target;
    const known = await this.findMaker(tenantId, target.makerId);
    if (!known || !target.isMadeWith(known.root)) return undefined;
    const maker = await this.narrowed.readerOf(known);
    if (!mayRead(maker, { area: 'content', typeId })) return undefined;
    const types = mayRead(maker, { area: 'content' }) ? undefined : maker.readTypes;
    const share = publicKey(tenantId);
    return { target, caller: { tenantId, credentialId: '', scopes: NO_SCOPES, publishedOnly: false, share, types } };
  }

  private async makerOf({
    tenantId,
    actorId = '',
  }: Caller): Promise<{ makerId: string; root: string; expiresAt?: number }> {
    const makerId = parseId('key', actorId) ?? parseId('usr', actorId) ?? '';
    const { root = '', expiresAt } = (await this.findMaker(tenantId, makerId)) ?? {};
    return { makerId, root, expiresAt };
  }

  /** A key, or a member. */
  private async findMaker(tenantId: string, id: string): Promise<UsableKey | undefined> {
    return (await this.sessions.findMember(tenantId, id)) ?? this.keys.findById(tenantId, id);
  }

  /** Returns the entry, and what the request asks for. Throws the same 404 for everything that the link no longer shows. */
  async follow(
    caller: Caller,
    target: PreviewTarget,
    request: ReadingRequest | undefined,
    shape: Shape,
  ): Promise<Preview & { reading?: ReadResult }> {
    return this.reader.ofEntry(caller, request, { mode: 'preview link', shape }, () => this.shown(caller, target));
  }

  /** Returns a page with the values of the entry. Throws the same 404. */
  async page(caller: Caller, target: PreviewTarget): Promise<JsonText> {
    const { base } = this.publicUrl;
    const { entry, draftNumber } = await this.shown(caller, target);
    const { tenantId, typeId } = target;
    const { schema } = await this.schemas.get(tenantId, { id: typeId });
    const [type] = await this.database.query(tenantId, TYPE_NAME, { typeId });
    if (!type) throw noPreview();
    const page = previewHtml({
      typeName: type.name,
      base,
      definitions: schema.definitions,
      title: schema.title?.name,
      fields: defaultJson(entry.fields),
      status: entry.status,
      isDraft: draftNumber !== undefined,
    });
    return new JsonText(page, previewHtmlHeaders(base));
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
