import { Controller, Delete, Get, Patch, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresSession, WithSession } from '../../access/access.js';
import { KEEPS_NO_ANSWERS, RefusesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import type { OpenSession } from '../../http/open-session.js';
import { DataListResponse, DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { MeDto, MySessionDto, UpdateMeDto } from './me.dto.js';
import { MeService } from './me.service.js';

@ApiTags('Me')
@Controller('v1/me')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @ApiOperation({
    summary: 'Get myself',
    description:
      'Returns who is signed in, and the tenants that the session may enter, each with the role and its scopes.',
  })
  @RequiresSession()
  @DataResponse(MeDto)
  async get(@WithSession() session: OpenSession): Promise<{ data: MeDto }> {
    return { data: await this.me.get(session) };
  }

  @Patch()
  @ApiOperation({
    summary: 'Change myself',
    description:
      "Changes the name, the password, or about which tenants' reviews emails are sent. A new password ends all other sessions of the person.",
  })
  @RequiresSession('of a person')
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit({ per: 'address', name: 'me', limit: 60, window: 'minute' })
  @DataResponse(MeDto)
  async update(
    @Req() request: Request,
    @WithSession() session: OpenSession,
    @JsonBody(UpdateMeDto) body: UpdateMeDto,
  ): Promise<{ data: MeDto }> {
    return { data: await this.me.update(request, session, body) };
  }

  @Get('sessions')
  @ApiOperation({
    summary: 'List my sessions',
    description: 'Lists where the person is signed in, newest first. The list is not paginated.',
  })
  @RequiresSession('of a person')
  @DataListResponse(MySessionDto)
  async listMySessions(@WithSession() session: OpenSession): Promise<{ data: MySessionDto[] }> {
    return { data: await this.me.sessions(session) };
  }

  @Delete('sessions/:session_id')
  @ApiOperation({
    summary: 'Sign out elsewhere',
    description: 'Ends one of the person’s sessions in every process within a second.',
  })
  @RequiresSession('of a person')
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @MessageResponse()
  @ProblemResponses('not_found')
  async endMySession(
    @WithSession() session: OpenSession,
    @IdParam('session_id', 'ses', 'session') sessionId: string,
  ): Promise<Message> {
    await this.me.endSession(session, sessionId);
    return { message: 'The session was ended.' };
  }
}
