import { Problem } from '../errors/problem.js';

/** No room on the disk, or in the quota. */
const FULL = ['ENOSPC', 'EDQUOT'];
/** The disk is read-only, broken, or not ours to use; or the process has too many files open. */
const BROKEN = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'EBUSY', 'ENODEV', 'ENXIO', 'ENOTDIR', 'ESTALE', 'EMFILE', 'ENFILE'];

/** Whether the error is that of a disk that can't be written. */
export function isDiskFailure(error: unknown): error is NodeJS.ErrnoException {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && [...FULL, ...BROKEN].includes(code);
}

/** 507 when there is no room, 503 for another failure of the disk; undefined for an error of another kind. */
export function problemOfDisk(error: unknown): Problem | undefined {
  if (!isDiskFailure(error)) return undefined;
  return FULL.includes(error.code ?? '') ? storageFull(error) : storageAway(error);
}

export function storageFull(cause: unknown): Problem {
  return withCause(new Problem('insufficient_storage', 'The storage for media files is full.'), cause);
}

export function storageAway(cause: unknown): Problem {
  const headers = { 'Retry-After': '5' };
  const detail = 'The storage for media files is not available right now.';
  return withCause(new Problem('unavailable', detail, undefined, headers), cause);
}

function withCause(problem: Problem, cause: unknown): Problem {
  problem.cause = cause;
  return problem;
}
