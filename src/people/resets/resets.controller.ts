import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsDefined, IsString, MaxLength } from 'class-validator';
import type { Request } from 'express';
import { Public } from '../../access/access.js';
import { KEEPS_NO_ANSWERS, RefusesIdempotencyKey } from '../../access/idempotency/idempotency-key.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { JsonBody } from '../../http/bodies/json-body.decorator.js';
import type { JsonText } from '../../http/http-adapter.js';
import { DataResponse, type Message, MessageResponse } from '../../http/responses/responses.js';
import { MAX_PASSWORD } from '../person-input.js';
import { SessionDto } from '../sessions/sessions.dto.js';
import { ResetsService } from './resets.service.js';

/** Longer than any address. */
const MAX_EMAIL_TEXT = 1_024;

class RequestResetDto {
  @IsDefined({ message: 'email is required' })
  @IsString({ message: 'email must be a string' })
  @MaxLength(MAX_EMAIL_TEXT, { message: `email must have at most ${MAX_EMAIL_TEXT} characters` })
  @ApiProperty({ example: 'ada@example.com' })
  email!: string;
}

class FinishResetDto {
  @IsDefined({ message: 'password is required' })
  @IsString({ message: 'password must be a string' })
  @MaxLength(MAX_PASSWORD, { message: `password must have at most ${MAX_PASSWORD} characters` })
  @ApiProperty({ example: 'four words of my own' })
  password!: string;
}

@ApiTags('Sessions')
@Controller('v1/password-resets')
export class ResetsController {
  constructor(private readonly resets: ResetsService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Ask for a new password',
    description:
      'Sends an email with a link that is good once, for an hour. The response is the same at the same pace, whether the address belongs to ' +
      'somebody or not. An address gets at most three of these emails an hour.',
  })
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit({ per: 'address', name: 'password reset', limit: 60, window: 'minute' })
  @MessageResponse('The request was accepted.', 202)
  @ProblemResponses('forbidden', 'rate_limited')
  requestPasswordReset(@Req() request: Request, @JsonBody(RequestResetDto) { email }: RequestResetDto): Message {
    this.resets.request(request, email);
    return { message: 'If the address belongs to somebody, an email is on its way.' };
  }

  @Post(':token')
  @ApiOperation({
    summary: 'Choose a new password',
    description:
      'Sets the password, ends all sessions of the person, and begins a new one, whose cookie the response sets. A password that is refused ' +
      '(422) does not use the token.',
  })
  @ApiParam({ name: 'token', description: 'The token of the link.', schema: { type: 'string' } })
  @Public()
  @RefusesIdempotencyKey(KEEPS_NO_ANSWERS)
  @RateLimit({ per: 'address', name: 'sign-in', limit: 300, window: 'minute' })
  @DataResponse(SessionDto, 201)
  @ProblemResponses('forbidden', 'not_found', 'rate_limited')
  async finishPasswordReset(
    @Req() request: Request,
    @Param('token') token: string,
    @JsonBody(FinishResetDto) { password }: FinishResetDto,
  ): Promise<JsonText> {
    return this.resets.finish(request, token, password);
  }
}
