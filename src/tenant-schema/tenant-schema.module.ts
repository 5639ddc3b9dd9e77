import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ContentModule } from '../content/content.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { SchemaApplies } from './schema-applies.service.js';
import { SchemaPlans } from './schema-plans.service.js';
import { SchemaState } from './schema-state.js';
import { SchemaWriter } from './schema-writer.js';
import { TenantSchemaController } from './tenant-schema.controller.js';

/** The schema of a tenant as one document. */
@Module({
  imports: [AccessModule, ContentModule, FormsModule, TenantsModule, WebhooksModule],
  controllers: [TenantSchemaController],
  providers: [SchemaApplies, SchemaPlans, SchemaState, SchemaWriter],
})
export class TenantSchemaModule {}
