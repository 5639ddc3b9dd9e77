import { Controller, Get, Headers, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import { hasRoute } from '../../http/has-route.js';
import { JsonText, NotModified } from '../../http/http-adapter.js';
import { DataResponse } from '../../http/responses/responses.js';
import { readIfMatch, versionEtag } from '../../http/responses/etag.js';
import { IfMatch, IfNoneMatch, privateHeaders, Tagged } from '../../http/responses/etag-headers.js';
import { LocalesDto, SetLocalesDto } from './locales.dto.js';
import { LocalesService } from './locales.service.js';

const NOUN = 'locales';

@ApiTags('Locales')
@Controller('v1/locales/:tenant_id')
export class LocalesController {
  constructor(private readonly locales: LocalesService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the locales',
    description: 'Before they are set for the first time, English is the only one.',
  })
  @IfNoneMatch
  @RequiresKey('content', 'read', { keepsToTypes: true })
  @DataResponse(LocalesDto)
  @Tagged(200, NOUN)
  @ApiResponse({ status: 304, description: 'The client already has this version.' })
  async getLocales(
    @WithCaller() caller: Caller,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText | NotModified> {
    const settings = await this.locales.get(caller);
    const headers = privateHeaders(versionEtag(settings.revision));
    return hasRoute(ifNoneMatch, headers.ETag) ? new NotModified(headers) : answer(settings, headers);
  }

  @Put()
  @ApiOperation({
    summary: 'Set the locales',
    description:
      'Replaces the list. The values of a removed locale are kept out of sight, and are back when the locale is. The default locale can change only ' +
      'while no content type has a localized field; otherwise the response is 409. It is also 409 if a removed locale is one of `required_in` of a ' +
      'field. Entries follow a changed list like a change of their content type.',
  })
  @IfMatch
  @RequiresKey('content', 'write')
  @DataResponse(LocalesDto)
  @Tagged(200, NOUN)
  @ProblemResponses('conflict', 'precondition_failed')
  async setLocales(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(SetLocalesDto) body: CheckedBody<SetLocalesDto>,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const settings = await this.locales.set(caller, body, readIfMatch(ifMatch));
    return answer(settings, { ETag: versionEtag(settings.revision) });
  }
}

function answer({ default: standard, locales }: LocaleSettings, headers: Record<string, string>): JsonText {
  return new JsonText(JSON.stringify({ data: { default: standard, locales } }), headers);
}
