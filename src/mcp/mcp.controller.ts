import { Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresAnyKey, WithCaller } from '../access/access.js';
import { readBody } from '../http/bodies/json-body.js';
import type { Caller } from '../http/caller.js';
import type { JsonText } from '../http/http-adapter.js';
import { PageOriginGuard } from './page-origin.guard.js';
import { McpServer } from './protocol/mcp-server.js';

const MAX_BYTES = 1024 * 1024;

/** The endpoint of assistants. It is no operation of the API, and its document does not have it. */
@ApiExcludeController()
@Controller('mcp/:tenant_id')
export class McpController {
  constructor(private readonly server: McpServer) {}

  @Post()
  @HttpCode(200)
  @RequiresAnyKey()
  @UseGuards(PageOriginGuard)
  async handle(
    @WithCaller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JsonText> {
    return this.server.answer({ caller, request }, await readBody(request, response, MAX_BYTES));
  }
}
