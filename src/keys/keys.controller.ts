import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { Caller } from '../http/caller.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../http/bodies/json-body.decorator.js';
import { DataListResponse, DataResponse, type Message, MessageResponse } from '../http/responses/responses.js';
import { IdParam } from '../ids/id-param.js';
import { CreatedKeyDto, CreateKeyDto, KeyDto } from './keys.dto.js';
import { KeysService } from './keys.service.js';

@ApiTags('Keys')
@Controller('v1/keys/:tenant_id')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @ApiOperation({
    summary: 'List keys',
    description:
      'Lists all valid keys of the tenant: those that were made over the API, newest first, then those of the configuration. The keys ' +
      'themselves are not shown. The list is not paginated.',
  })
  @RequiresKey('keys', 'read')
  @DataListResponse(KeyDto)
  async list(@WithCaller() caller: Caller): Promise<{ data: KeyDto[] }> {
    return { data: await this.keys.list(caller) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a key',
    description:
      'Makes a key with scopes that the caller has too. The response shows the key, which the service does not store: keep it in a safe ' +
      'place. It works at once in every process. A tenant has at most 1,000 keys that were made over the API.',
  })
  @RequiresKey('keys', 'write', {
    refusesIdempotencyKey:
      'The response contains a secret, which is not kept. Revoke the key if the response was lost.',
  })
  @DataResponse(CreatedKeyDto, 201)
  @ProblemResponses('conflict')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateKeyDto) body: CheckedBody<CreateKeyDto>,
  ): Promise<{ data: CreatedKeyDto }> {
    const data = await this.keys.create(caller, body);
    return { data };
  }

  @Post(':key_id/adopt')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Adopt a key',
    description:
      'Hands a key over to whoever sends the request, with all keys that it made. A key ends with its maker: adopt the keys of a colleague ' +
      'before you remove the membership. Requires the scope `*`. The response is 409 for a key of the configuration, and for one that made the ' +
      'key of the request.',
  })
  @RequiresKey('keys', 'write')
  @DataResponse(KeyDto)
  @ProblemResponses('conflict')
  async adopt(@WithCaller() caller: Caller, @IdParam('key_id', 'key', 'key') keyId: string): Promise<{ data: KeyDto }> {
    return { data: await this.keys.adopt(caller, keyId) };
  }

  @Delete(':key_id')
  @ApiOperation({
    summary: 'Revoke a key',
    description:
      'Revokes the key, and all keys that were made with it, directly or through others. Within a second, every process refuses them. The ' +
      'response is 409 for a key of the configuration.',
  })
  @RequiresKey('keys', 'write')
  @MessageResponse()
  @ProblemResponses('conflict')
  async revoke(@WithCaller() caller: Caller, @IdParam('key_id', 'key', 'key') keyId: string): Promise<Message> {
    const { others } = await this.keys.revoke(caller, keyId);
    const also = others === 1 ? ' and one that it made' : ` and ${others} that it made`;
    return { message: `The key${others === 0 ? ' was' : `${also} were`} revoked.` };
  }
}
