import { isRecord } from '../../fields/record.js';
import type { JsonText } from '../../http/http-adapter.js';
import { invalidParams } from './rpc-error.js';
import type { Sdk } from './sdk.js';

/** No tool has as many arguments. The SDK would take a second to check all those that fit into a message. */
const MAX_ARGUMENTS = 100;

/** The parameters that the methods of this server use. */
const USED: Readonly<Record<string, readonly string[]>> = {
  initialize: ['protocolVersion', 'capabilities', 'clientInfo'],
  'tools/list': ['cursor'],
  'tools/call': ['name', 'arguments'],
  'resources/list': ['cursor'],
  'resources/templates/list': ['cursor'],
  'resources/read': ['uri'],
};

/** A request of JSON-RPC with nothing that this server does not use, however much a client sends. */
export interface EssentialRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: Record<string, unknown>;
}

export function essentialsOf({ id, method, params }: Record<string, unknown>): EssentialRequest {
  const request = { jsonrpc: '2.0', id, method } as EssentialRequest;
  if (!isRecord(params)) return params === undefined ? request : { ...request, params: params as never };
  const used = picked(params, Object.hasOwn(USED, request.method) ? (USED[request.method] ?? []) : []);
  if (isRecord(used['capabilities'])) used['capabilities'] = {};
  if (isRecord(used['clientInfo'])) used['clientInfo'] = picked(used['clientInfo'], ['name', 'version']);
  return { ...request, params: used };
}

/** Returns the answer to a request whose parameters its method does not take; undefined for others. The SDK would call it an internal error. */
export function faultOfParams({ types }: Sdk, request: EssentialRequest): JsonText | undefined {
  const schemas = {
    initialize: types.InitializeRequestSchema,
    'tools/list': types.ListToolsRequestSchema,
    'tools/call': types.CallToolRequestSchema,
    'resources/list': types.ListResourcesRequestSchema,
    'resources/templates/list': types.ListResourceTemplatesRequestSchema,
    'resources/read': types.ReadResourceRequestSchema,
  };
  const { id, method, params } = request;
  if (!Object.hasOwn(schemas, method)) return undefined;
  const given = params?.['arguments'];
  if (isRecord(given) && Object.keys(given).length > MAX_ARGUMENTS) {
    return invalidParams(id, `params.arguments: at most ${MAX_ARGUMENTS} arguments are allowed.`);
  }
  const { error } = schemas[method as keyof typeof schemas].safeParse(request);
  if (!error) return undefined;
  return invalidParams(id, error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join(' '));
}

function picked(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])));
}
