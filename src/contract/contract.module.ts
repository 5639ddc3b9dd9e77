import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { ContractController } from './contract.controller.js';
import { ContractFiles } from './contract-files.js';
import { ContractReader } from './contract-reader.js';
import { TypeSchemas } from './type-schemas.js';
import { TypeSchemasController } from './type-schemas.controller.js';

/** The contract of a tenant. */
@Module({
  imports: [AccessModule, OpenApiModule],
  controllers: [ContractController, TypeSchemasController],
  providers: [ContractFiles, ContractReader, TypeSchemas],
})
export class ContractModule {}
