export { TrivetError, type ValueError } from '../transport/error.js';
export type { CallOptions, TransportOptions } from '../transport/options.js';
export type { EventBodies, Operations } from './generated/operations.js';
export type * as Contract from './generated/types.js';
export { createRequest } from './request.js';
export type { OperationId, RequestAnswer, RequestInput, RequestOperation } from './types.js';
