import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../access/access.js';
import { KEEPS_NO_ANSWERS, RefusesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import { RateLimit, type RouteLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { OptionalJsonBody } from '../../http/bodies/json-body.decorator.js';
import type { JsonText } from '../../http/http-adapter.js';
import { DataResponse } from '../../http/responses/responses.js';
import { PasskeyCreationOptionsDto } from '../passkeys/passkeys.dto.js';
import { SessionDto } from '../sessions/sessions.dto.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import { AcceptInvitationDto, InvitationDto } from './invitations.dto.js';
import { NewPeople } from './new-person.js';

const LIMIT: RouteLimit = { per: 'address', name: 'invitations', limit: 60, window: 'minute' };
const TOKEN = {
  name: 'invitation_token',
  description: 'The token of the invitation: `tvi_…`, from the fragment of the link.',
  schema: { type: 'string' as const },
};

@ApiTags('Members')
@Controller('v1/invitations')
export class InvitationsController {
  constructor(
    private readonly acceptance: InvitationAcceptance,
    private readonly newPeople: NewPeople,
  ) {}

  @Get(':invitation_token')
  @ApiOperation({
    summary: 'Get an invitation',
    description:
      'Returns what the invitation is for. The response is 404 if it was accepted, has expired after seven days, or was sent again with another token.',
  })
  @ApiParam(TOKEN)
  @Public()
  @RateLimit(LIMIT)
  @DataResponse(InvitationDto)
  @ProblemResponses('not_found', 'rate_limited')
  async get(@Param('invitation_token') token: string): Promise<JsonText> {
    return this.acceptance.show(token);
  }

  @Post(':invitation_token')
  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'Makes the person a member, and begins a session, whose cookie the response sets. With `sign_in`, the request has no body and is sent in a session of ' +
      'this person (401 without one, 403 in another one, 409 with a body). Otherwise it has a `name`, and a `password` or a `passkey`. One that is refused ' +
      '(422) leaves the invitation as it is.',
  })
  @ApiParam(TOKEN)
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit(LIMIT)
  @DataResponse(SessionDto, 201)
  @ProblemResponses('unauthorized', 'forbidden', 'not_found', 'conflict', 'rate_limited')
  async accept(
    @Req() request: Request,
    @Param('invitation_token') token: string,
    @OptionalJsonBody(AcceptInvitationDto) body: AcceptInvitationDto,
  ): Promise<JsonText> {
    return this.acceptance.accept(request, token, body);
  }

  @Post(':invitation_token/options')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get options for a passkey of an invitation',
    description:
      'Returns the options of `startRegistration` of `@simplewebauthn/browser`, whose answer _Accept an invitation_ takes as `passkey` within five ' +
      'minutes. The response is 409 if the address has an account, or if passkeys are not offered.',
  })
  @ApiParam(TOKEN)
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit(LIMIT)
  @DataResponse(PasskeyCreationOptionsDto)
  @ProblemResponses('forbidden', 'not_found', 'conflict', 'rate_limited')
  async getInvitationPasskeyOptions(
    @Req() request: Request,
    @Param('invitation_token') token: string,
  ): Promise<JsonText> {
    return this.newPeople.options(request, token);
  }
}
