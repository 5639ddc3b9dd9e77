import { Controller, Delete, Get, HttpCode, Patch, Post, Query as QueryString } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { writtenAnswer } from '../../access/may-read.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import { Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { DataResponse, type Message, MessageResponse, WrittenResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { formatId } from '../../ids/type-id.js';
import { searchParameter } from '../../lists/list-request.js';
import { type ListMeta, pageParameters, readPage } from '../../lists/page.js';
import { ListResponse } from '../../lists/page.dto.js';
import { MemberLists } from './member-lists.service.js';
import { presentMember } from './member-presenter.js';
import { MemberRemoval } from './member-removal.js';
import { CreateMemberDto, MemberDto, UpdateMemberDto } from './members.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('v1/users/:tenant_id')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly lists: MemberLists,
    private readonly removal: MemberRemoval,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List members',
    description: 'Lists the members of the tenant and those who are invited, newest first.',
  })
  @RequiresKey('users', 'read')
  @Parameters(
    ...pageParameters,
    searchParameter(
      'Words, or parts of them, which the name or the email address must contain. Case makes no difference.',
    ),
    {
      name: 'role',
      schema: { type: 'string', maxLength: 100 },
      description: 'The name of a role, whatever its case, or its ID.',
    },
  )
  @ListResponse(MemberDto)
  async list(
    @WithCaller() caller: Caller,
    @QueryString() query: Query,
  ): Promise<{ data: MemberDto[]; meta: ListMeta }> {
    const { rows, meta } = await this.lists.list(caller, query, readPage(query));
    return { data: rows.map(presentMember), meta };
  }

  @Post()
  @ApiOperation({
    summary: 'Invite a member',
    description:
      'Sends an invitation by email, which is good once, for seven days. The response is the same whether the address has an account already or not. It ' +
      'is 409 if the address is that of a member or invited, 403 if the role allows more than the caller may, and 429 after three invitations to the ' +
      'address within an hour or 1,000 of the tenant on a day.',
  })
  @RequiresKey('users', 'write')
  @DataResponse(MemberDto, 201)
  @ProblemResponses('conflict', 'limit_reached')
  async inviteMember(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateMemberDto) body: CheckedBody<CreateMemberDto>,
  ): Promise<{ data: MemberDto }> {
    return { data: presentMember(await this.members.create(caller, body)) };
  }

  @Get(':user_id')
  @ApiOperation({ summary: 'Get a member' })
  @RequiresKey('users', 'read')
  @DataResponse(MemberDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('user_id', 'usr', 'member') userId: string,
  ): Promise<{ data: MemberDto }> {
    return { data: presentMember(await this.members.get(caller, userId)) };
  }

  @Patch(':user_id')
  @ApiOperation({
    summary: 'Update a member',
    description:
      'Gives the member another role, which is in effect in every process within a second. The response is 403 for oneself, and if the role before or ' +
      'after allows more than the caller may. It is 409 for the last member with `*` who has accepted the invitation.',
  })
  @RequiresKey('users', 'write')
  @WrittenResponse(MemberDto)
  @ProblemResponses('conflict')
  async update(
    @WithCaller() caller: Caller,
    @IdParam('user_id', 'usr', 'member') userId: string,
    @JsonBodyWithValues(UpdateMemberDto) body: CheckedBody<UpdateMemberDto>,
  ): Promise<JsonText> {
    const member = await this.members.update(caller, userId, body);
    const written = { area: 'users', id: formatId('usr', userId) } as const;
    return writtenAnswer(caller, written, () => JSON.stringify(presentMember(member)));
  }

  @Delete(':user_id')
  @ApiOperation({
    summary: 'Remove a member',
    description:
      'Ends the membership, what its sessions may do in the tenant and the keys that the member made, in every process within a second. With the last ' +
      'membership, the person is erased. Every member may leave with this operation, whatever the role. The response is 409 for the last member ' +
      'with `*` who has accepted the invitation.',
  })
  @RequiresKey('users', 'write', { oneself: 'user_id' })
  @MessageResponse()
  @ProblemResponses('conflict')
  async remove(@WithCaller() caller: Caller, @IdParam('user_id', 'usr', 'member') userId: string): Promise<Message> {
    await this.removal.remove(caller, userId);
    return { message: 'The member was removed.' };
  }

  @Post(':user_id/invite')
  @ApiOperation({
    summary: 'Send an invitation again',
    description:
      'Sends another email, whose link replaces the earlier one. The response is 409 if the invitation was accepted, and 429 as for a new invitation.',
  })
  @HttpCode(202)
  @RequiresKey('users', 'write')
  @MessageResponse('The invitation will be sent.', 202)
  @ProblemResponses('conflict')
  async resendInvitation(
    @WithCaller() caller: Caller,
    @IdParam('user_id', 'usr', 'member') userId: string,
  ): Promise<Message> {
    await this.members.invite(caller, userId);
    return { message: 'The invitation was sent again.' };
  }
}
