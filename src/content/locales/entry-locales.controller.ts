import { Controller, Get, Headers, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { writtenAnswer } from '../../access/may-read.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import { DataListResponse, WrittenResponse } from '../../http/responses/responses.js';
import { readIfMatch } from '../../http/responses/etag.js';
import { IfMatch } from '../../http/responses/etag-headers.js';
import type { JsonText } from '../../http/http-adapter.js';
import { formatId } from '../../ids/type-id.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { TypeParam } from '../type-param.js';
import { EntryLocaleDto, SetEntryLocaleDto, TypeLocaleDto } from './entry-locales.dto.js';
import { EntryLocales } from './entry-locales.service.js';

@ApiTags('Locales')
@Controller('v1/content/:tenant_id/types/:content_type_id')
export class EntryLocalesController {
  constructor(private readonly locales: EntryLocales) {}

  @Get('locales')
  @ApiOperation({
    summary: 'Count the entries of a type by locale',
    description: 'Returns for each locale how many entries are live in it, lack it, or are behind the default locale.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataListResponse(TypeLocaleDto)
  async listTypeLocales(@WithCaller() caller: Caller, @TypeParam() type: IdOrSlug): Promise<{ data: TypeLocaleDto[] }> {
    return { data: await this.locales.ofType(caller, type) };
  }

  @Get('entries/:entry_id/locales')
  @ApiOperation({
    summary: 'List the locales of an entry',
    description: 'Returns what there is of the entry in each locale, and what is missing.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataListResponse(EntryLocaleDto)
  async listEntryLocales(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<{ data: EntryLocaleDto[] }> {
    return { data: await this.locales.ofEntry(caller, type, entryId) };
  }

  @Put('entries/:entry_id/locales/:code')
  @ApiOperation({
    summary: 'Take a locale of an entry off, or bring it back',
    description:
      'Readers of a locale that is taken off see what it falls back to. Its values stay. Makes a version and emits `entry.updated`, unless it is so ' +
      'already. The default locale cannot be taken off: 409. With `content:draft`, only of entries that are not published: 403.',
  })
  @IfMatch
  @RequiresKey('content', 'draft')
  @ApiParam({ name: 'code', description: 'The code of the locale.', schema: { type: 'string', example: 'de' } })
  @WrittenResponse(EntryLocaleDto)
  @ProblemResponses('conflict', 'precondition_failed')
  async setEntryLocale(
    @WithCaller() caller: Caller,
    @TypeParam() typeName: IdOrSlug,
    @EntryIdParam() entryId: string,
    @Param('code') code: string,
    @JsonBody(SetEntryLocaleDto) { live }: SetEntryLocaleDto,
    @Headers('If-Match') ifMatch?: string,
  ): Promise<JsonText> {
    const where = { typeName, entryId, code };
    const { typeId, locale } = await this.locales.setLive(caller, where, live, readIfMatch(ifMatch));
    const written = { area: 'content', id: formatId('ent', entryId), typeId } as const;
    return writtenAnswer(caller, written, () => JSON.stringify(locale));
  }
}
