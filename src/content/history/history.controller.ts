import { Controller, Get, Headers, HttpCode, Post, Query as QueryString, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataListResponse, DataResponse, OneOfResponse, WrittenDto } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { listText } from '../../lists/streamed-list.js';
import { readDraftIfMatch, readIfNoDraft } from '../drafts/draft-etag.js';
import { IfNoDraft } from '../drafts/draft-etag-headers.js';
import { DraftDto } from '../drafts/drafts.dto.js';
import { draftAnswer } from '../drafts/draft-answer.js';
import { UpdatedEntryDto } from '../entries/entries.dto.js';
import { EntryResponses } from '../entries/entry-responses.js';
import { readIfMatch } from '../../http/responses/etag.js';
import { IfMatch, Tagged } from '../../http/responses/etag-headers.js';
import { type Shape, shapeParameter, WithShape } from '../reading/shape.js';
import { TypeParam } from '../type-param.js';
import { EntryHistory } from './entry-history.service.js';
import { presentVersion } from './entry-version.js';
import { FieldDifferenceDto, VersionDto, WholeVersionDto } from './history.dto.js';
import { localeParameters, readLocale, readWriteLocale } from '../locales/locale-request.js';
import { asRead, LocalePresenter } from '../locales/locale-presenter.js';
import { VersionParam } from './version-param.js';

const MAX_VERSION = 2_147_483_647;

@ApiTags('History')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/versions')
export class HistoryController {
  constructor(
    private readonly history: EntryHistory,
    private readonly responses: EntryResponses,
    private readonly locales: LocalePresenter,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the versions of an entry',
    description: 'Every change of an entry is a version. The newest one comes first.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @Parameters(...pageParameters)
  @ListResponse(VersionDto)
  async listEntryVersions(
    @WithCaller() caller: Caller,
    @TypeParam() typeName: IdOrSlug,
    @EntryIdParam() entryId: string,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const { rows, meta } = await this.history.list(caller, { typeName, entryId }, readPage(query));
    return listText(
      rows.map((row) => presentVersion(row)),
      meta,
    );
  }

  @Get(':version')
  @ApiOperation({ summary: 'Get a version of an entry', description: 'The entry as it was after a change.' })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @Parameters(...localeParameters)
  @DataResponse(WholeVersionDto)
  async getEntryVersion(
    @WithCaller() caller: Caller,
    @TypeParam() typeName: IdOrSlug,
    @EntryIdParam() entryId: string,
    @VersionParam() version: number,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const locale = readLocale(query);
    const { row, ...values } = await this.history.get(caller, { typeName, entryId }, version);
    return new JsonText(`{"data":${presentVersion(row, await this.locales.in(caller, values, locale))}}`);
  }

  @Get(':version/diff')
  @ApiOperation({
    summary: 'Compare a version of an entry',
    description: 'Lists the fields whose values differ from the version before, or from the version `from`.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @Parameters({
    name: 'from',
    schema: { type: 'integer', minimum: 1 },
    description: 'The version to compare with. The default is the version before.',
  })
  @DataListResponse(FieldDifferenceDto)
  async compareEntryVersions(
    @WithCaller() caller: Caller,
    @TypeParam() typeName: IdOrSlug,
    @EntryIdParam() entryId: string,
    @VersionParam() version: number,
    @QueryString() query: Query,
  ): Promise<JsonText> {
    const differences = await this.history.diff(caller, { typeName, entryId }, { version, from: readFrom(query) });
    return new JsonText(`{"data":${differences}}`);
  }

  @Post(':version/restore')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Restore a version of an entry',
    description:
      'Makes the values as they were, as a new version. The status stays as it is. Values of fields that the content type no longer has are ' +
      'left out, and values that do not fit the fields of today are 422. Emits `entry.updated`, or nothing if no value differs. With ' +
      '`to=draft`, the values that differ from the live ones become the draft, which is returned; `If-Match` is then that of the draft, and ' +
      '`If-None-Match: *` restores only if there is no draft.',
  })
  @IfMatch
  @IfNoDraft
  @RequiresKey('content', 'draft')
  @Parameters(
    {
      name: 'to',
      schema: { type: 'string', enum: ['live', 'draft'] },
      description: 'The default is `live`.',
    },
    {
      name: 'locale',
      schema: { type: 'string' },
      description: 'Restores only the values of this locale. The response is in it.',
    },
    shapeParameter,
  )
  @OneOfResponse(UpdatedEntryDto, DraftDto, WrittenDto)
  @Tagged(200)
  @ProblemResponses('precondition_failed', 'validation_failed')
  async restoreEntryVersion(
    @WithCaller() caller: Caller,
    @TypeParam() typeName: IdOrSlug,
    @EntryIdParam() entryId: string,
    @VersionParam() version: number,
    @QueryString() query: Query,
    @Req() { path }: Request,
    @WithShape() shape: Shape,
    @Headers('If-Match') ifMatch?: string,
    @Headers('If-None-Match') ifNoneMatch?: string,
  ): Promise<JsonText> {
    const locale = readWriteLocale(query);
    if (isToDraft(query)) {
      const draft = await this.history.restoreToDraft(
        caller,
        { typeName, entryId },
        { version, precondition: readDraftIfMatch(ifMatch), isNew: readIfNoDraft(ifNoneMatch), locale },
      );
      const location = path.replace(/\/versions\/[^/]+\/restore\/?$/, '/draft');
      const shown = await this.locales.draftIn(caller, draft, asRead(locale));
      return draftAnswer(caller, shown, { Location: location });
    }
    const entry = await this.history.restore(
      caller,
      { typeName, entryId },
      {
        version,
        precondition: readIfMatch(ifMatch),
        locale,
      },
    );
    return this.responses.changed(caller, entry, { shape, locale });
  }
}

function isToDraft({ to = 'live' }: Query): boolean {
  if (to === 'live' || to === 'draft') return to === 'draft';
  throw Problem.parameter('to', 'to must be live or draft.');
}

function readFrom({ from }: Query): number | undefined {
  if (from === undefined) return undefined;
  // Beyond the last version that there can be, it is not found.
  if (typeof from === 'string' && /^[1-9]\d{0,15}$/.test(from)) return Math.min(Number(from), MAX_VERSION);
  throw Problem.parameter('from', 'from must be the number of a version.');
}
