import { formatId } from '../../ids/type-id.js';

/** A submission's row: `fields` is JSON text, `createdAt` is ISO 8601. */
export interface SubmissionRow {
  id: string;
  fields: string;
  createdAt: string;
}

/** The submission's JSON in responses, lists and events. The row's JSON is passed through unchanged. */
export function presentSubmission(formId: string, { id, fields, createdAt }: SubmissionRow): string {
  const form = formatId('frm', formId);
  return `{"id":"${formatId('sub', id)}","form_id":"${form}","fields":${fields},"created_at":"${createdAt}"}`;
}
