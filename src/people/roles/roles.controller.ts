import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../../access/access.js';
import { writtenAnswer } from '../../access/may-read.js';
import { ProblemResponses } from '../../errors/problem-responses.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../../http/bodies/json-body.decorator.js';
import type { Caller } from '../../http/caller.js';
import type { JsonText } from '../../http/http-adapter.js';
import {
  DataListResponse,
  DataResponse,
  type Message,
  MessageResponse,
  WrittenResponse,
} from '../../http/responses/responses.js';
import { IdParam } from '../../ids/id-param.js';
import { formatId } from '../../ids/type-id.js';
import { CreateRoleDto, RoleDto, UpdateRoleDto } from './roles.dto.js';
import { RolesService } from './roles.service.js';
import { presentRole } from './tenant-role.js';

@ApiTags('Roles')
@Controller('v1/roles/:tenant_id')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Get()
  @ApiOperation({
    summary: 'List roles',
    description: 'Lists the built-in roles, and then those of the tenant, oldest first. The list is not paginated.',
  })
  @RequiresKey('users', 'read')
  @DataListResponse(RoleDto)
  async list(@WithCaller() caller: Caller): Promise<{ data: RoleDto[] }> {
    return { data: (await this.roles.list(caller)).map(presentRole) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a role',
    description:
      'Makes a role with scopes that the caller has too. The response is 409 if a role has the name already, whatever its case, or if the tenant has ' +
      '100 roles of its own.',
  })
  @RequiresKey('users', 'write')
  @DataResponse(RoleDto, 201)
  @ProblemResponses('conflict')
  async create(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(CreateRoleDto) body: CheckedBody<CreateRoleDto>,
  ): Promise<{ data: RoleDto }> {
    return { data: presentRole(await this.roles.create(caller, body)) };
  }

  @Get(':role_id')
  @ApiOperation({ summary: 'Get a role' })
  @RequiresKey('users', 'read')
  @DataResponse(RoleDto)
  async get(
    @WithCaller() caller: Caller,
    @IdParam('role_id', 'rol', 'role') roleId: string,
  ): Promise<{ data: RoleDto }> {
    return { data: presentRole(await this.roles.get(caller, roleId)) };
  }

  @Patch(':role_id')
  @ApiOperation({
    summary: 'Update a role',
    description:
      'Changes the properties that are sent, for all members with the role, in every process within a second. The response is 403 if the role allows ' +
      'more than the caller may, before or after the change. It is 409 for a built-in role, if the name is taken, and if no member would have `*` any more.',
  })
  @RequiresKey('users', 'write')
  @WrittenResponse(RoleDto)
  @ProblemResponses('conflict')
  async update(
    @WithCaller() caller: Caller,
    @IdParam('role_id', 'rol', 'role') roleId: string,
    @JsonBodyWithValues(UpdateRoleDto) body: CheckedBody<UpdateRoleDto>,
  ): Promise<JsonText> {
    const role = await this.roles.update(caller, roleId, body);
    return writtenAnswer(caller, { area: 'users', id: formatId('rol', roleId) }, () =>
      JSON.stringify(presentRole(role)),
    );
  }

  @Delete(':role_id')
  @ApiOperation({
    summary: 'Delete a role',
    description:
      'The response is 409 with the number of members while members have the role, those who are only invited included, and for a built-in role.',
  })
  @RequiresKey('users', 'write')
  @MessageResponse()
  @ProblemResponses('conflict')
  async delete(@WithCaller() caller: Caller, @IdParam('role_id', 'rol', 'role') roleId: string): Promise<Message> {
    await this.roles.delete(caller, roleId);
    return { message: 'The role was deleted.' };
  }
}
