import type { UseFormSetError } from 'react-hook-form';
import { ApiProblem } from '../../../api/problem';
import { showProblem } from '../../../parts/form-problem';
import { LABELS } from './webhook-fields';
import type { FormValues } from './webhook-values';

/** Puts what the service says beside the fields of the form, which has other names than the API for a few. */
export function showWebhookProblem(error: unknown, setError: UseFormSetError<FormValues>): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const errors = error.errors.map((each) => ({ ...each, path: fieldOf(each.path) }));
  const { status, code, message, requestId } = error;
  const renamed = new ApiProblem({
    status,
    code,
    detail: message,
    errors,
    ...(requestId && { request_id: requestId }),
  });
  return showProblem(renamed, setError, LABELS);
}

function fieldOf(path: string): string {
  if (path === 'max_concurrency') return 'maxConcurrency';
  return /^(headers|events)\./.exec(path)?.[1] ?? path;
}
