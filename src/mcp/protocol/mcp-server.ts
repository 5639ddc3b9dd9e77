import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Problem } from '../../errors/problem.js';
import { JsonText } from '../../http/http-adapter.js';
import { parseBody } from '../../http/bodies/json-body.js';
import { McpResources } from '../resources/mcp-resources.js';
import { AS_DATA, type Client } from '../tools/tool.js';
import { Tools } from '../tools/tools.js';
import { type EssentialRequest, essentialsOf, faultOfParams } from './params.js';
import { faultOf, refusedBatch, unreadableMessage } from './rpc-error.js';
import { loadSdk, type Sdk } from './sdk.js';
import { failureOf, problemOf, toolResultOf } from './tool-result.js';

const INFO = { name: 'trivet', title: 'Trivet', version: '1' };

const INSTRUCTIONS =
  'The content of a website or an app: content types define fields, and entries have values for them. Begin with list_content_types. ' +
  `Entries that you create or change are drafts, which people review and publish. ${AS_DATA}`;

const ACCEPTED = new JsonText('', undefined, 202);

/** The code of the protocol for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** Handles the messages of clients. It keeps nothing between them: each has a server of the SDK, which ends with the answer. */
@Injectable()
export class McpServer {
  constructor(
    private readonly tools: Tools,
    private readonly resources: McpResources,
  ) {}

  /** Answers one message, which is the text of a request's body. */
  async answer(client: Client, text: string): Promise<JsonText> {
    if (/^\s*\[/.test(text)) return refusedBatch();
    let message: Record<string, unknown>;
    try {
      message = await heavyWork.runIf(isHeavy(text.length), client.caller.tenantId, parseBody(text));
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return unreadableMessage(error);
      throw error;
    }
    const fault = faultOf(message);
    if (fault) return fault;
    // Without sessions, there is nothing that a notification or an answer could be about.
    if (message['id'] === undefined || typeof message['method'] !== 'string') return ACCEPTED;
    const sdk = await loadSdk();
    const request = essentialsOf(message);
    return faultOfParams(sdk, request) ?? this.pass(sdk, client, request, text.length);
  }

  private async pass(sdk: Sdk, client: Client, message: EssentialRequest, bytes: number): Promise<JsonText> {
    const server = this.serverFor(sdk, client, bytes);
    const transport = new sdk.Transport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(asWebRequest(client), { parsedBody: message });
      return new JsonText(await response.text(), undefined, response.status);
    } finally {
      await server.close();
    }
  }

  private serverFor({ Server, types }: Sdk, client: Client, bytes: number) {
    const server = new Server(INFO, {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
    });
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: this.tools.listFor(client.caller) }));
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
      const tool = this.tools.find(params.name);
      if (!tool)
        throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}.`);
      try {
        return toolResultOf(await this.tools.call(tool, client, { ...params.arguments }, bytes));
      } catch (error) {
        return failureOf(error, client.request);
      }
    });
    const withProblems = async <Result>(read: () => Promise<Result>): Promise<Result> => {
      try {
        return await read();
      } catch (error) {
        const { code, status, detail } = problemOf(error, client.request);
        const isMissing = status === 404 || status === 403;
        throw new types.McpError(isMissing ? RESOURCE_NOT_FOUND : types.ErrorCode.InvalidRequest, detail, {
          code,
          status,
        });
      }
    };
    server.setRequestHandler(types.ListResourcesRequestSchema, ({ params }) =>
      withProblems(() => this.resources.list(client, params?.cursor)),
    );
    server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => this.resources.templates(client.caller));
    server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }) =>
      withProblems(() => this.resources.read(client, params.uri)),
    );
    return server;
  }
}

/** The headers that the transport checks. */
function asWebRequest({ request }: Client): globalThis.Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of ['accept', 'mcp-protocol-version']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new globalThis.Request('http://localhost/mcp', { method: 'POST', headers });
}

/** The server asks clients for nothing that it would have to check. The SDK would otherwise compile a validator for each request. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('This server validates no schemas of the protocol.');
  },
};
