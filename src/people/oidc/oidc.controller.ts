import { Controller, Get, Param, Query as QueryString, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../access/access.js';
import { RateLimit, type RouteLimit } from '../../access/rate-limits.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { IgnoresOtherParameters, Parameters } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { Redirect } from '../../http/responses/redirect.js';
import { FAILURES, OidcService } from './oidc.service.js';

const LIMIT: RouteLimit = { per: 'address', name: 'sign-in', limit: 300, window: 'minute' };
const PROVIDER = {
  name: 'provider',
  description: 'The ID of a provider.',
  schema: { type: 'string' as const, example: 'acme' },
};
const LED = {
  status: 303,
  headers: { Location: { description: 'The URL.', schema: { type: 'string' as const, format: 'uri' } } },
};
const CODES = FAILURES.map((code) => `\`${code}\``).join(', ');

@ApiTags('Sessions')
@Controller('v1/oidc/:provider')
export class OidcController {
  constructor(private readonly oidc: OidcService) {}

  @Get('start')
  @ApiOperation({
    summary: 'Sign in with a provider',
    description:
      'Leads a browser to a provider of OpenID Connect, and sets a cookie for ten minutes that the way back needs. If the provider does not answer, it leads ' +
      'to `/console/sign-in?error=oidc_unavailable`. A request whose `Accept` is `application/json` gets the problem instead.',
  })
  @ApiParam(PROVIDER)
  @Public()
  @RateLimit(LIMIT)
  @Parameters({
    name: 'return_to',
    schema: { type: 'string', maxLength: 1_024 },
    description: 'The path of a page of the console, which follows: `/console` if it is not sent.',
  })
  @ApiResponse({ ...LED, description: 'Leads to the provider.' })
  @ProblemResponses('not_found', 'rate_limited')
  async startOidcSignIn(
    @Req() request: Request,
    @Param('provider') provider: string,
    @QueryString() { return_to: returnTo }: Query,
  ): Promise<Redirect> {
    return this.oidc.start(request, provider, returnTo as string | undefined);
  }

  @IgnoresOtherParameters()
  @Get('callback')
  @ApiOperation({
    summary: 'Come back from a provider',
    description:
      'Providers lead browsers here. Begins a session, whose cookie the response sets, and leads to the page of the console. If signing in fails, it leads to ' +
      `\`/console/sign-in?error=…\` with one of ${CODES}. A request whose \`Accept\` is \`application/json\` gets the problem instead.`,
  })
  @ApiParam(PROVIDER)
  @Public()
  @RateLimit(LIMIT)
  @Parameters(
    { name: 'code', schema: { type: 'string' }, description: 'What the service gets the ID token for.' },
    { name: 'state', schema: { type: 'string' }, description: 'That of the sign-in.' },
    { name: 'iss', schema: { type: 'string' }, description: 'The issuer (RFC 9207).' },
    { name: 'error', schema: { type: 'string' }, description: 'Why the provider refuses.' },
  )
  @ApiResponse({ ...LED, description: 'Leads to the console.' })
  @ProblemResponses('unauthorized', 'forbidden', 'limit_reached', 'not_found', 'rate_limited')
  async finishOidcSignIn(
    @Req() request: Request,
    @Param('provider') provider: string,
    @QueryString() query: Query,
  ): Promise<Redirect> {
    return this.oidc.callback(request, provider, query);
  }
}
