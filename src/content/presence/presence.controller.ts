import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { DataListResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { EntryIdParam } from '../entry-id-param.js';
import { TypeParam } from '../type-param.js';
import { PresentDto } from './presence.dto.js';
import { PresenceService } from './presence.service.js';

@ApiTags('Entries')
@Controller('v1/content/:tenant_id/types/:content_type_id/entries/:entry_id/presence')
export class PresenceController {
  constructor(private readonly presence: PresenceService) {}

  @Get()
  @ApiOperation({
    summary: 'List who has an entry open',
    description:
      'Returns those who have announced themselves within the last 30 seconds, at most 100, and those first who are there longest.',
  })
  @RequiresKey('content', 'read', { isUnpublished: true })
  @DataListResponse(PresentDto)
  async get(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<{ data: PresentDto[] }> {
    return { data: await this.presence.list(caller, type, entryId) };
  }

  @Put()
  @ApiOperation({
    summary: 'Announce oneself at an entry',
    description:
      'Others see for 30 seconds that the caller has the entry open; sent again, it lasts longer. An actor is shown at the 100 entries that it ' +
      'announced last. Changes nothing of the entry, emits no event and is not in the audit log.',
  })
  @RequiresKey('content', 'draft')
  @MessageResponse('The caller is announced.')
  async set(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<Message> {
    await this.presence.announce(caller, type, entryId);
    return { message: 'You are announced at the entry.' };
  }

  @Delete()
  @ApiOperation({ summary: 'Leave an entry', description: 'Succeeds also if the caller was not announced.' })
  @RequiresKey('content', 'draft')
  @MessageResponse('The caller is not announced any more.')
  async delete(
    @WithCaller() caller: Caller,
    @TypeParam() type: IdOrSlug,
    @EntryIdParam() entryId: string,
  ): Promise<Message> {
    await this.presence.leave(caller, type, entryId);
    return { message: 'You have left the entry.' };
  }
}
