import { Controller, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, RequiresKey, TenantParam, WithCaller } from '../../access/access.js';
import { RateLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { WrittenResponse } from '../../http/responses/responses.js';
import { StaticFile } from '../../http/responses/static-file.js';
import { IdParam } from '../../ids/id-param.js';
import { FormIdParam } from '../form-id-param.js';
import { FullSubmissionDto } from '../inbox/inbox.dto.js';
import { submissionAnswer } from '../inbox/submission-answer.js';
import { ChangeVerdict } from '../submissions/change-verdict.js';
import { ChallengesService } from './challenges.service.js';
import { ChallengeDto } from './spam.dto.js';
import { TOKEN_SCRIPT } from './token-script.js';

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/challenge')
export class ChallengeController {
  constructor(private readonly challenges: ChallengesService) {}

  @Get()
  @ApiOperation({
    summary: 'Get a challenge',
    description:
      'Returns a challenge in the format of ALTCHA 2 for forms with `spam.challenge`, and `_t`, which tells when a visitor received the ' +
      'form. No API key is required. The solution, base64 of the JSON `{"challenge": …, "solution": …}`, is sent as `_altcha` among the ' +
      'fields of a submission, and `_t` beside it. A solution is valid for ten minutes, for one submission to this form. A client ' +
      'address can send at most 60 requests per minute.',
  })
  @Public()
  @RateLimit({ per: 'address', name: 'challenge', limit: 60, window: 'minute' })
  @TenantParam()
  @ApiParam({
    name: 'form_id',
    description: 'The ID or the slug of the form.',
    schema: { type: 'string', example: 'contact' },
  })
  @ApiOkResponse({ description: 'The request succeeded.', type: ChallengeDto })
  @ProblemResponses('not_found', 'rate_limited')
  async get(@Param('tenant_id') tenantId: string, @Param('form_id') idOrSlug: string): Promise<JsonText> {
    return new JsonText(await this.challenges.create(tenantId, idOrSlug), { 'Cache-Control': 'no-store' });
  }
}

/** Serves the script that adds `_t` to forms of other sites, and solves their challenges. */
@ApiExcludeController()
@Controller('f/token.js')
export class TokenScriptController {
  private readonly script = new StaticFile('text/javascript; charset=utf-8', TOKEN_SCRIPT);

  @Get()
  @Public()
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  async get(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.script.send(request, response, 'public, max-age=3600');
  }
}

@ApiTags('Submissions')
@Controller('v1/forms/:tenant_id/:form_id/submissions/:submission_id')
export class VerdictsController {
  constructor(private readonly verdicts: ChangeVerdict) {}

  @Post('release')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Release a submission',
    description:
      'Makes spam `ok`. The first time that a submission becomes `ok`, its emails are sent and `form.submitted` is emitted. The reasons ' +
      'stay. Changes nothing if the submission is `ok` already.',
  })
  @RequiresKey('forms', 'write')
  @WrittenResponse(FullSubmissionDto)
  async releaseSubmission(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
  ): Promise<JsonText> {
    return submissionAnswer(caller, submissionId, await this.verdicts.run(caller, formId, submissionId, 'ok'));
  }

  @Post('mark-spam')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Mark a submission as spam',
    description:
      'Makes a submission spam. Emails that wait are canceled at once. Emails that were sent cannot be recalled, and are not sent again after ' +
      'a release. Changes nothing if the submission is spam already.',
  })
  @RequiresKey('forms', 'write')
  @WrittenResponse(FullSubmissionDto)
  async markSubmissionAsSpam(
    @WithCaller() caller: Caller,
    @FormIdParam() formId: string,
    @IdParam('submission_id', 'sub', 'submission') submissionId: string,
  ): Promise<JsonText> {
    return submissionAnswer(caller, submissionId, await this.verdicts.run(caller, formId, submissionId, 'spam'));
  }
}
