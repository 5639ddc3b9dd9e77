/** The logged form of an error: its type and where it occurred, but no value that came from outside. */
export interface LoggedError {
  type: string;
  message: string;
  /** Names from PostgreSQL and the system: an error code, a table, a column, a constraint. */
  [name: string]: unknown;
  /** Stack frames, the innermost first. */
  stack?: string[];
  cause?: LoggedError;
  errors?: LoggedError[];
}

/** Properties that contain names, never values. `query`, `parameters`, `detail`, `where` and `hint` must not be among them. */
const NAMES = [
  ...['code', 'severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine', 'errno', 'syscall'],
  ...['command', 'responseCode', 'status'],
];
const MAX_DEPTH = 4;
const MAX_ERRORS = 5;
const MAX_FRAMES = 20;
const MAX_MESSAGE = 500;

const MASK = '…';
const ADDRESS = /[^\s<>()[\],;:"'@]+@[^\s<>()[\],;:"'@]+/g;
const URL_LIKE = /\b([a-z][a-z\d+.-]*:\/\/)([^\s"'<>`]*)/gi;
/** What follows these paths is a token, which lets whoever has it sign in or read. */
const TOKEN_PATH = /(\/v1\/(?:invitations|password-resets|preview)\/)[^\s"'<>/?#]+/gi;
/** Links of the console have their token in the fragment, and providers return codes in the query. */
const SECRET_PART = /(\/console\/[^\s"'<>#]*#|[?&](?:code|state|token)=)[^\s"'<>&#]+/gi;
/** Keys, sessions and tokens that the service has made. */
const SECRET = /\b(tv[a-z]_)[\w-]{20,}/g;
/** PostgreSQL codes whose messages quote values: invalid data, invalid syntax (also of a search), raised errors, internal errors. */
const QUOTES_VALUES = /^(22...|42601|P0...|XX...)$/;
const FRAME = /^\s+at /;

/** Pino's serializer of `err`. Accepts any thrown value. */
export function loggedError(thrown: unknown): LoggedError {
  return describe(thrown, MAX_DEPTH);
}

/** Removes email addresses, tokens, and the parts of URLs other than scheme and host, because they may be secret. */
export function withoutValues(text: string): string {
  return text
    .replace(URL_LIKE, (_, scheme: string, rest: string) => scheme + hostOf(rest))
    .replace(SECRET, `$1${MASK}`)
    .replace(TOKEN_PATH, `$1${MASK}`)
    .replace(SECRET_PART, `$1${MASK}`)
    .replace(ADDRESS, '[address]');
}

/** Returns the frames of a stack without the message above them, which may contain any data. */
export function framesOf({ stack, message }: { stack?: string; message?: string }): string[] {
  const lines = (stack ?? '').replace(message || '\0', '').split('\n');
  return lines
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}

function describe(thrown: unknown, depth: number): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: 'The thrown value is not an error.' };
  const names = Object.entries(thrown).filter(([name, value]) => NAMES.includes(name) && isName(value));
  const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
  const frames = framesOf(thrown);
  return {
    type: thrown.constructor.name,
    message: messageOf(thrown),
    ...Object.fromEntries(names),
    ...(frames.length > 0 && { stack: frames }),
    ...(depth > 0 && cause instanceof Error && { cause: describe(cause, depth - 1) }),
    ...(depth > 0 &&
      Array.isArray(errors) && { errors: errors.slice(0, MAX_ERRORS).map((error) => describe(error, depth - 1)) }),
  };
}

function messageOf(error: Error): string {
  const { code } = error as { code?: unknown };
  const quotes = error instanceof SyntaxError || (typeof code === 'string' && QUOTES_VALUES.test(code));
  const text = quotes ? maskQuoted(error.message) : error.message;
  return withoutValues(text).slice(0, MAX_MESSAGE);
}

/** Masks the text from the first quotation mark to the last, or to the end if there is only one. */
function maskQuoted(text: string): string {
  const first = text.indexOf('"');
  const last = text.lastIndexOf('"');
  if (first < 0) return text;
  return `${text.slice(0, first)}"${MASK}"${last > first ? text.slice(last + 1) : ''}`;
}

function isName(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 100);
}

function hostOf(rest: string): string {
  const authority = rest.split(/[/?#]/, 1)[0]!;
  return authority.slice(authority.lastIndexOf('@') + 1);
}
