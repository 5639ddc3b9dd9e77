import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Response } from 'supertest';
import type { TestApp } from './app.js';

/** What a tool answered. The client has checked it against the schema of its results. */
export interface ToolResult {
  isError: boolean;
  /** The structured content; of a failure, the JSON of the text. */
  body: Response['body'];
  /** The bytes of the whole result. */
  bytes: number;
}

/** An assistant that uses a tenant over the official client. */
export class Assistant {
  private constructor(readonly client: Client) {}

  /** Connects with a key, over a real socket, and lists the tools, so that the client knows the schemas of their results. */
  static async connect(app: TestApp, tenantId: string, key: string): Promise<Assistant> {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/${tenantId}`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    await client.connect(transport);
    await client.listTools();
    return new Assistant(client);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = await this.client.callTool({ name, arguments: args });
    const [content] = result.content as { text: string }[];
    const text: unknown = JSON.parse(content?.text ?? 'null');
    if (!result.isError) expect(text).toEqual(result.structuredContent);
    return { isError: result.isError === true, body: text, bytes: Buffer.byteLength(JSON.stringify(result)) };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
