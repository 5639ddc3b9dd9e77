import { Problem } from '../../errors/problem.js';
import { isRecord } from '../../fields/record.js';
import { JsonText } from '../../http/http-adapter.js';

/** Codes of JSON-RPC 2.0 for messages that cannot be handled. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

const MAX_ID = 255;

/** The 400 for several messages at once. */
export function refusedBatch(): JsonText {
  return refusal(
    INVALID_REQUEST,
    'Send one message in each request: the protocol has no batches since its version 2025-06-18.',
  );
}

/** The 400 for a body that is not JSON. */
export function unreadableMessage({ detail, errors = [] }: Problem): JsonText {
  return refusal(PARSE_ERROR, [detail, ...errors.map(({ message }) => message)].join(' '));
}

/** The answer to a request of a known method whose parameters are not those of the method. */
export function invalidParams(id: unknown, message: string): JsonText {
  return new JsonText(JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } }));
}

/** Returns the 400 for JSON that is not one message of JSON-RPC 2.0; undefined for a message. */
export function faultOf(message: unknown): JsonText | undefined {
  if (!isRecord(message)) return refusal(INVALID_REQUEST, 'The body must be a JSON-RPC message, which is an object.');
  if (message['jsonrpc'] !== '2.0') return refusal(INVALID_REQUEST, 'The message must have "jsonrpc": "2.0".');
  const { id, method } = message;
  if (id !== undefined && !isId(id)) {
    const message = `The id of a message must be an integer, or a string of at most ${MAX_ID} characters.`;
    return refusal(INVALID_REQUEST, message);
  }
  const isAnswer = 'result' in message || 'error' in message;
  if (isAnswer || typeof method === 'string') return undefined;
  return refusal(INVALID_REQUEST, 'The message must have a method, which is a string.');
}

/** Every answer repeats the ID. */
function isId(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= MAX_ID : Number.isSafeInteger(id);
}

function refusal(code: number, message: string): JsonText {
  return new JsonText(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }), undefined, 400);
}
