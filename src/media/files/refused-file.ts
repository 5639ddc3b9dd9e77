import { Problem } from '../../errors/problem.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/** A 422: the content of the uploaded file is not accepted. */
export function refusedFile(code: ValueErrorCode, message: string): Problem {
  return Problem.invalid([{ path: 'file', code, message }]);
}
