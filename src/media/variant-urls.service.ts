import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { Query } from '../http/query.js';
import { MediaPresenter } from './media-presenter.js';
import { MediaService } from './media.service.js';
import { readVariantQuery, variantOf } from './variant.js';

/** Signs the URLs of variants for a tenant's own programs. */
@Injectable()
export class VariantUrlsService {
  constructor(
    private readonly media: MediaService,
    private readonly presenter: MediaPresenter,
  ) {}

  /** The url of the file itself when the query asks for nothing else. 400 when the file has no such variant, 404 for an unknown file. */
  async urlOf(caller: Caller, mediaId: string, query: Query): Promise<string> {
    const asked = readVariantQuery(query);
    const media = await this.media.get(caller, mediaId);
    if (!asked || !variantOf(asked, media)) return this.presenter.url(caller.tenantId, media);
    return this.presenter.variantUrl(caller.tenantId, media, asked);
  }
}
