import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import { MediaPresenter } from '../media-presenter.js';
import { MediaService } from '../media.service.js';
import { variantOf, type VariantQuery } from './variant.js';

/** Signs the URLs of variants for a tenant's own programs. */
@Injectable()
export class VariantUrlsService {
  constructor(
    private readonly media: MediaService,
    private readonly presenter: MediaPresenter,
  ) {}

  /**
   * Returns the URL of the variant, or of the file itself if `asked` describes no variant. Throws a 400 if the file cannot have this variant,
   * and a 404 if the file does not exist.
   */
  async urlOf(caller: Caller, mediaId: string, asked: VariantQuery | undefined): Promise<string> {
    const media = await this.media.get(caller, mediaId);
    if (!asked) return this.presenter.url(caller.tenantId, media);
    variantOf(asked, media);
    return this.presenter.variantUrl(caller.tenantId, media, asked);
  }
}
