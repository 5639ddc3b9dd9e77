import { Problem } from '../../errors/problem.js';

/** No space on the disk or in the quota. */
const FULL = ['ENOSPC', 'EDQUOT'];
/** The disk is read-only, broken or not accessible, or the process has too many open files. */
const BROKEN = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'EBUSY', 'ENODEV', 'ENXIO', 'ENOTDIR', 'ESTALE', 'EMFILE', 'ENFILE'];

/** Whether the error means that the disk does not work. */
export function isDiskFailure(error: unknown): error is NodeJS.ErrnoException {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && [...FULL, ...BROKEN].includes(code);
}

/** Returns a 507 if there is no space, a 503 for any other failure of the disk, and undefined for any other error. */
export function problemOfDisk(error: unknown): Problem | undefined {
  if (!isDiskFailure(error)) return undefined;
  return FULL.includes(error.code ?? '') ? storageFull(error) : storageUnavailable(error);
}

export function storageFull(cause: unknown): Problem {
  return withCause(new Problem('insufficient_storage', 'The storage for media files is full.'), cause);
}

export function storageUnavailable(cause: unknown): Problem {
  const headers = { 'Retry-After': '5' };
  const detail = 'The storage for media files is not available right now.';
  return withCause(new Problem('unavailable', detail, undefined, headers), cause);
}

function withCause(problem: Problem, cause: unknown): Problem {
  problem.cause = cause;
  return problem;
}
