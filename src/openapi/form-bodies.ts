import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_SCHEMA, type FormBodySchemas } from '../http/bodies/json-body.decorator.js';
import { operationsOf } from './operations.js';

/** Adds the content types of forms to the bodies of operations that take them. Their schemas differ from that of JSON. */
export function addFormBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const schemas = operation[FORM_SCHEMA] as FormBodySchemas | undefined;
    const { requestBody } = operation;
    delete operation[FORM_SCHEMA];
    if (!schemas || !requestBody || '$ref' in requestBody) continue;
    if (schemas.form) requestBody.content['application/x-www-form-urlencoded'] = { schema: schemas.form };
    requestBody.content['multipart/form-data'] = { schema: schemas.multipart };
  }
}
