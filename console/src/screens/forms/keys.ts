export function formsKey(tenantId: string): string[] {
  return [tenantId, 'forms'];
}

export function formKey(tenantId: string, id: string): string[] {
  return [tenantId, 'form', id];
}

/** Everything about the submissions of a form. */
export function submissionsKey(tenantId: string, formId: string): string[] {
  return [tenantId, 'submissions', formId];
}
