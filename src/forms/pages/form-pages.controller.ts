import { Controller, Get, Header, Param, Query as QueryString, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/access.js';
import { RateLimit } from '../../access/rate-limits.js';
import { JsonText } from '../../http/http-adapter.js';
import { IgnoresOtherParameters, Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { StaticFile } from '../../http/responses/static-file.js';
import { EMBED_SCRIPT } from './embed-script.js';
import { FormPages } from './form-pages.js';
import { PageProblemFilter } from './page-answers.js';
import { PAGE_SCRIPT } from './page-script.js';
import { checkView, EMBED, THEME } from './page-view.js';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const FOR_AN_HOUR = 'public, max-age=3600';

/** Shows forms as pages. */
@ApiExcludeController()
@Controller('f')
export class FormPagesController {
  private readonly embedScript = new StaticFile(JAVASCRIPT, EMBED_SCRIPT);
  private readonly pageScript = new StaticFile(JAVASCRIPT, PAGE_SCRIPT);

  constructor(private readonly pages: FormPages) {}

  /** Puts a form into a page of another site. */
  @Get('embed.js')
  @IgnoresOtherParameters()
  @Public()
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  async embed(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.embedScript.send(request, response, FOR_AN_HOUR);
  }

  @Get('page.js')
  @IgnoresOtherParameters()
  @Public()
  async script(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pageScript.send(request, response, FOR_AN_HOUR);
  }

  @Get(':tenant_id/:form_id')
  @IgnoresOtherParameters()
  @Public()
  @RateLimit({ per: 'address', name: 'public', limit: 'PUBLIC_RATE_LIMIT', window: 'minute' })
  @Parameters(EMBED, THEME)
  @UseFilters(PageProblemFilter)
  async page(
    @Param('tenant_id') tenantId: string,
    @Param('form_id') idOrSlug: string,
    @QueryString() query: Query,
    @Req() request: Request,
  ): Promise<JsonText> {
    checkView(query);
    const { html, headers } = await this.pages.hosted({ tenantId, idOrSlug }, request);
    return new JsonText(html, headers);
  }
}
