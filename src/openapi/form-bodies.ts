import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_SCHEMA } from '../http/json-body.decorator.js';
import { operationsOf } from './operations.js';

const TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Adds the content types of forms to the bodies of operations that take them. Their schema differs from that of JSON. */
export function addFormBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const schema = operation[FORM_SCHEMA] as object | undefined;
    const { requestBody } = operation;
    delete operation[FORM_SCHEMA];
    if (!schema || !requestBody || '$ref' in requestBody) continue;
    for (const type of TYPES) requestBody.content[type] = { schema };
  }
}
