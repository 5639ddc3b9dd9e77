import { Problem } from '../errors/problem.js';

/** A 422: the content of the uploaded file is not accepted. */
export function refusedFile(code: string, message: string): Problem {
  return Problem.invalid([{ path: 'file', code, message }]);
}
