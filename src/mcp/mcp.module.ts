import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { PublicUrl } from '../http/public-url.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { OperationAnswers } from './answers/operation-answers.js';
import { McpController } from './mcp.controller.js';
import { ApiOperations } from './operations/api-operations.js';
import { McpServer } from './protocol/mcp-server.js';
import { McpResources } from './resources/mcp-resources.js';
import { EntryTypes } from './tools/entry-types.js';
import { Tools } from './tools/tools.js';

/** The Model Context Protocol: the operations of the API as tools of assistants. */
@Module({
  imports: [AccessModule, AdmissionModule, OpenApiModule],
  controllers: [McpController],
  providers: [EntryTypes, McpServer, OperationAnswers, ApiOperations, PublicUrl, McpResources, Tools],
})
export class McpModule {}
