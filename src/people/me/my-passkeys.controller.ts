import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RequiresSession, WithSession } from '../../access/access.js';
import { KEEPS_NO_ANSWERS, RefusesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import { RateLimit, type RouteLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import type { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { DataListResponse, DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { CreatePasskeyDto, PasskeyCreationOptionsDto, PasskeyDto } from '../passkeys/passkeys.dto.js';
import { MyPasskeys } from './my-passkeys.js';

const LIMIT: RouteLimit = { per: 'address', name: 'me', limit: 60, window: 'minute' };

@ApiTags('Me')
@Controller('v1/me/passkeys')
export class MyPasskeysController {
  constructor(private readonly passkeys: MyPasskeys) {}

  @Get()
  @ApiOperation({
    summary: 'List my passkeys',
    description:
      'Lists the passkeys of the person, newest first. The list is not paginated. The response is 403 in a session that a provider began.',
  })
  @RequiresSession('of a person')
  @DataListResponse(PasskeyDto)
  async list(@WithSession() session: OpenSession): Promise<{ data: PasskeyDto[] }> {
    return { data: await this.passkeys.list(session) };
  }

  @Post('options')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get options for a new passkey',
    description:
      'Returns the options of `startRegistration` of `@simplewebauthn/browser`, whose answer _Add a passkey_ takes within five minutes, once. The ' +
      'response is 409 if passkeys are not offered, or the person has 20, and 403 in a session that a provider began.',
  })
  @RequiresSession('of a person')
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit(LIMIT)
  @DataResponse(PasskeyCreationOptionsDto)
  @ProblemResponses('conflict')
  async getMyPasskeyOptions(@WithSession() session: OpenSession): Promise<JsonText> {
    return this.passkeys.options(session);
  }

  @Post()
  @ApiOperation({
    summary: 'Add a passkey',
    description: 'Stores a passkey, which signs in by itself from now on, and ends all other sessions of the person.',
  })
  @RequiresSession('of a person')
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit(LIMIT)
  @DataResponse(PasskeyDto, 201)
  @ProblemResponses('conflict')
  async add(
    @Req() request: Request,
    @WithSession() session: OpenSession,
    @JsonBody(CreatePasskeyDto) body: CreatePasskeyDto,
  ): Promise<{ data: PasskeyDto }> {
    return { data: await this.passkeys.add(request, session, body) };
  }

  @Delete(':passkey_id')
  @ApiOperation({
    summary: 'Delete a passkey',
    description: 'Deletes a passkey of the person. The response is 409 if the person could not sign in without it.',
  })
  @RequiresSession('of a person')
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @MessageResponse()
  @ProblemResponses('conflict')
  async delete(
    @WithSession() session: OpenSession,
    @IdParam('passkey_id', 'psk', 'passkey') passkeyId: string,
  ): Promise<Message> {
    await this.passkeys.delete(session, passkeyId);
    return { message: 'The passkey was deleted.' };
  }
}
