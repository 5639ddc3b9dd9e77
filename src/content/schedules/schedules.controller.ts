import { Controller, Delete, Get, Put, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonText } from '../../http/http-adapter.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { ListResponse } from '../../lists/page.dto.js';
import { pageParameters, readPage } from '../../lists/page.js';
import { periodParameters, readPeriod } from '../../lists/periods.js';
import { listText } from '../../lists/streamed-list.js';
import { TypeParam } from '../type-param.js';
import { presentSchedule } from './schedule-presenter.js';
import { PutScheduleDto, ScheduleDto } from './schedules.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/schedule')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @ApiOperation({ summary: 'Get a schedule', description: 'Returns 404 if the entry has no schedule.' })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataResponse(ScheduleDto)
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<JsonText> {
    return new JsonText(`{"data":${presentSchedule(await this.schedules.get(caller, type, entryId))}}`);
  }

  @Put()
  @ApiOperation({
    summary: 'Set a schedule',
    description:
      'Replaces an existing schedule, also a failed one. At `publish_at` the draft is published, or the status is set to ' +
      '`published` if there is no draft; at `unpublish_at` the status is set to `draft`. Each emits what the same request would emit. ' +
      'At least one of the times is required. With `locales`, only these are published and taken off; a key that is limited to locales can set and ' +
      'replace only such schedules, of its locales.',
  })
  @RequiresKey('content', 'write')
  @DataResponse(ScheduleDto)
  async set(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
    @JsonBodyWithValues(PutScheduleDto) body: CheckedBody<PutScheduleDto>,
  ): Promise<JsonText> {
    return new JsonText(`{"data":${presentSchedule(await this.schedules.put(caller, type, entryId, body))}}`);
  }

  @Delete()
  @ApiOperation({ summary: 'Delete a schedule', description: 'The entry stays as it is.' })
  @RequiresKey('content', 'write')
  @MessageResponse()
  async delete(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<Message> {
    await this.schedules.delete(caller, type, entryId);
    return { message: 'The schedule was deleted.' };
  }
}

@ApiTags('Schedules')
@Controller('v1/content/:tenant_id/schedule')
export class ScheduleListController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @ApiOperation({
    summary: 'List schedules',
    description:
      'Lists the schedules of the entries of all content types, also failed ones. The one whose next time is the earliest comes first.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true, keepsToTypes: true })
  @Parameters(...pageParameters, ...periodParameters('schedules with a next time'))
  @ListResponse(ScheduleDto)
  async listSchedules(@WithCaller() caller: Caller, @QueryString() query: Query): Promise<JsonText> {
    const { rows, meta } = await this.schedules.list(caller, readPeriod(query), readPage(query));
    return listText(rows.map(presentSchedule), meta);
  }
}
