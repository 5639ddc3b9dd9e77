import { Controller, Post } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import type { Caller } from '../../http/caller.js';
import { DataResponse } from '../../http/responses/responses.js';
import { SignInLinks } from './sign-in-links.service.js';

class SignInLinkDto {
  @ApiProperty({ example: 'https://cms.example/console/sign-in#tvl_…', description: 'It is good once.' })
  url!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T10:30:00.000Z' })
  expires_at!: string;
}

@ApiTags('Keys')
@Controller('v1/keys/:tenant_id/sign-in-links')
export class SignInLinksController {
  constructor(private readonly links: SignInLinks) {}

  @Post()
  @ApiOperation({
    summary: 'Create a sign-in link',
    description:
      'Makes a link to the console that signs in once, within an hour, with what the key of the request may do. A session cannot make one: 403.',
  })
  @ApiExtension('x-no-session', true)
  @RequiresKey('keys', 'write', {
    refusesIdempotencyKey:
      'The response contains a secret, which is not kept. Make another link if the response was lost.',
  })
  @DataResponse(SignInLinkDto, 201)
  async createSignInLink(@WithCaller() caller: Caller): Promise<{ data: SignInLinkDto }> {
    return { data: await this.links.create(caller) };
  }
}
