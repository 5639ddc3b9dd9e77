import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, RequiresSession, WithSession } from '../../access/access.js';
import { KEEPS_NO_ANSWERS, RefusesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import type { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { DataResponse, MessageResponse } from '../../http/responses/responses.js';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.js';
import { PasskeyRequestOptionsDto } from '../passkeys/passkeys.dto.js';
import { SessionDto, SignInDto, SignInMethodsDto } from './sessions.dto.js';
import { SessionsService } from './sessions.service.js';
import { SignInMethods } from './sign-in-methods.js';

@ApiTags('Sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly methods: SignInMethods,
    private readonly passkeys: PasskeySignIn,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Sign in',
    description:
      'Begins a session with one of: `email` and `password`, `key`, `token` of a sign-in link, or `passkey`. The response sets the cookie. The ' +
      'same answer for a wrong password and an unknown address. After five failures of an account, tries from networks that it was not used ' +
      'from wait (429) for up to 15 minutes.',
  })
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit({ per: 'address', name: 'sign-in', limit: 300, window: 'minute' })
  @DataResponse(SessionDto, 201)
  @ProblemResponses('unauthorized', 'forbidden', 'not_found', 'conflict', 'rate_limited')
  async create(@Req() request: Request, @JsonBody(SignInDto) body: SignInDto): Promise<JsonText> {
    return this.sessions.create(request, body);
  }

  @Post('options')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get options for a passkey',
    description:
      'Returns the options of `startAuthentication` of `@simplewebauthn/browser`, whose answer _Sign in_ takes as `passkey` within five minutes, once. ' +
      'The response is 409 if passkeys are not offered.',
  })
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit({ per: 'address', name: 'sign-in', limit: 300, window: 'minute' })
  @DataResponse(PasskeyRequestOptionsDto)
  @ProblemResponses('forbidden', 'conflict', 'rate_limited')
  async getSignInPasskeyOptions(@Req() request: Request): Promise<JsonText> {
    return this.passkeys.options(request);
  }

  @Get('methods')
  @ApiOperation({ summary: 'List ways of signing in', description: 'Returns what this installation offers.' })
  @Public()
  @RateLimit({ per: 'address', name: 'sign-in', limit: 300, window: 'minute' })
  @DataResponse(SignInMethodsDto)
  @ProblemResponses('rate_limited')
  listSignInMethods(): { data: SignInMethodsDto } {
    return { data: this.methods.offered() };
  }

  @Get('current')
  @ApiOperation({
    summary: 'Get the current session',
    description:
      'Returns who is signed in, and the tenants that the session may enter. The response is 401 if nobody is.',
  })
  @RequiresSession()
  @DataResponse(SessionDto)
  async getCurrentSession(@WithSession() session: OpenSession): Promise<{ data: SessionDto }> {
    return { data: await this.sessions.current(session) };
  }

  @Delete('current')
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session in every process within a second, and removes the cookie.',
  })
  @RequiresSession()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @MessageResponse()
  async endCurrentSession(@WithSession() session: OpenSession): Promise<JsonText> {
    return this.sessions.end(session);
  }
}
