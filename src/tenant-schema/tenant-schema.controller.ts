import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, WithCaller } from '../access/access.js';
import { RefusesIdempotencyKey } from '../access/idempotency/idempotency-key.js';
import { presentChange } from '../content/schema-changes/online/schema-changes.controller.js';
import { ProblemResponses } from '../errors/problem-responses.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { JsonBodyWithValues } from '../http/bodies/json-body.decorator.js';
import type { Caller } from '../http/caller.js';
import { JsonText } from '../http/http-adapter.js';
import { DataResponse } from '../http/responses/responses.js';
import { SchemaApplies } from './schema-applies.service.js';
import { AppliedSchemaDto, PlannedSchemaDto } from './schema-answers.dto.js';
import { ApplySchemaDto, PlanSchemaDto, SchemaDocumentDto } from './schema-document.dto.js';
import { SchemaPlans } from './schema-plans.service.js';

const MAX_BODY = 8 * 1024 * 1024;

/** Content, forms and webhooks are read: the service checks the other two. */
const READS = { isUnpublished: true };
const OTHER_SCOPES = ['forms:read', 'webhooks:read'];

@ApiTags('Schema')
@Controller('v1/schema/:tenant_id')
export class TenantSchemaController {
  constructor(
    private readonly plans: SchemaPlans,
    private readonly applies: SchemaApplies,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get the schema of the tenant',
    description:
      'Returns the locales, content types, forms and webhooks as one document, always in the same order. It has no IDs: references name content types by ' +
      'slug. It has no secrets and no headers of webhooks. The key also needs `forms:read` and `webhooks:read`. 403 (`limit_reached`) if the definitions ' +
      'take more than 6 MiB, or there are more than 1,000 of a kind.',
  })
  @RequiresKey('content', 'read', READS)
  @ApiExtension('x-other-scopes', OTHER_SCOPES)
  @DataResponse(SchemaDocumentDto)
  @ProblemResponses('limit_reached')
  async getSchema(@WithCaller() caller: Caller): Promise<JsonText> {
    return new JsonText(`{"data":${await this.plans.document(caller)}}`);
  }

  @Post('plan')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Plan a schema',
    description:
      'Returns the steps from what the tenant has to what the document has, and changes nothing. What the document does not have stays as it is, or is ' +
      'deleted with `prune`. Each content type, form and webhook of the document is the whole of it: what it does not set is removed. Content types and forms are ' +
      'known by their slugs, webhooks by their URLs. What the plan calls `safe` succeeds when it is applied. The key also needs `forms:read` and `webhooks:read`.',
  })
  @RequiresKey('content', 'read', READS)
  @ApiExtension('x-other-scopes', OTHER_SCOPES)
  @RefusesIdempotencyKey('The request changes nothing.')
  @DataResponse(PlannedSchemaDto)
  @ProblemResponses('conflict', 'limit_reached')
  async planSchema(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(PlanSchemaDto, MAX_BODY) body: CheckedBody<PlanSchemaDto>,
  ): Promise<{ data: PlannedSchemaDto }> {
    const { steps, hash } = await this.plans.plan(caller, body);
    return { data: { steps, hash } };
  }

  @Post('apply')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Apply a schema',
    description:
      'Carries out a plan in one transaction: all of it or nothing. Each step emits events and is in the audit log as its own request would be. 409 if the ' +
      'schema has changed since the plan, if stored values are in the way, or if a step is lossy and `allow_lossy` is not sent. The entries of a content ' +
      'type with more than 1,000 of them are changed afterwards: `changes` has the change of each such content type, which *Get a change of a content type* ' +
      'shows. Until it is done, that content type is as it was. A webhook that is created has no secret.',
  })
  @RequiresKey('content', 'write', { isWhole: true })
  @DataResponse(AppliedSchemaDto)
  @ProblemResponses('conflict', 'limit_reached')
  async applySchema(
    @WithCaller() caller: Caller,
    @JsonBodyWithValues(ApplySchemaDto, MAX_BODY) body: CheckedBody<ApplySchemaDto>,
  ): Promise<{ data: AppliedSchemaDto }> {
    const { steps, changes } = await this.applies.apply(caller, body);
    const presented = changes.map(({ slug, change }) => ({
      content_type: slug,
      ...(JSON.parse(presentChange(change)) as Omit<AppliedSchemaDto['changes'][number], 'content_type'>),
    }));
    return { data: { steps, changes: presented } };
  }
}
