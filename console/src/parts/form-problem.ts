import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiProblem } from '../api/problem';

/**
 * Puts what the service says about values beside the fields of these labels. Returns what is left to say about the whole form; undefined if
 * the fields say it all.
 */
export function showProblem<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  labels: Partial<Record<Path<Values>, string>>,
): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const known = error.errors.filter(({ path }) => Object.hasOwn(labels, path));
  known.forEach(({ path, message }, index) => {
    const field = path as Path<Values>;
    setError(field, { message: withLabel(message, path, labels[field] ?? path) }, { shouldFocus: index === 0 });
  });
  return known.length > 0 && known.length === error.errors.length ? undefined : error;
}

/** The service names a value by its path. A person knows it by its label. */
function withLabel(message: string, path: string, label: string): string {
  return message.startsWith(`${path} `) ? `${label}${message.slice(path.length)}` : message;
}
