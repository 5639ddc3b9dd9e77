import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import { mayCall } from '../../access/may-call.js';
import { Config } from '../../config/config.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { ApiDocument } from '../../openapi/api-document.js';
import type { ToolAnswer } from '../answers/answer.js';
import { fitAnswer } from '../answers/fit-answer.js';
import { OperationAnswers } from '../answers/operation-answers.js';
import { pieceOf, type PiecePlace } from '../answers/text-piece.js';
import { handlerOf } from '../operations/operation.js';
import { CONTENT_TOOLS } from './content-tools.js';
import { EntryTypes } from './entry-types.js';
import { INBOX_TOOLS } from './inbox-tools.js';
import type { Arguments, Client, Tool } from './tool.js';
import { readToolArguments } from './tool-arguments.js';
import { describe, inputSchema, outputSchema, type ToolSchema } from './tool-schemas.js';
import { WRITING_TOOLS } from './writing-tools.js';

/** A tool as a client sees it. */
interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema;
  outputSchema: ToolSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
}

/** The tools of assistants. */
@Injectable()
export class Tools {
  private readonly tools: ReadonlyMap<string, Tool>;
  private readonly listed = new Map<string, ListedTool>();

  constructor(
    { mcpWrites }: Config,
    private readonly document: ApiDocument,
    private readonly answers: OperationAnswers,
    private readonly types: EntryTypes,
  ) {
    const all = [...CONTENT_TOOLS, ...INBOX_TOOLS, ...WRITING_TOOLS];
    const served = all.filter(({ effect }) => mcpWrites === 'live' || effect !== 'changes what is live');
    this.tools = new Map(served.map((tool) => [tool.name, tool]));
  }

  /** The tools that the scopes of a key allow. */
  listFor(caller: Caller): ListedTool[] {
    const allowed = [...this.tools.values()].filter(({ operation }) => mayCall(caller, handlerOf(operation)));
    return allowed.map((tool) => this.listing(tool));
  }

  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** Calls a tool with these arguments, which take `bytes` in the request. Throws a problem. */
  async call(tool: Tool, client: Client, given: Record<string, unknown>, bytes: number): Promise<ToolAnswer> {
    const { tenantId } = client.caller;
    const checked = await readToolArguments(tool, given, { tenantId, bytes });
    const path = await this.pathOf(tool, client.caller, checked.path);
    return this.answers.during(client.request, async (run) => {
      const answer = await (tool.run ?? runOperation(tool))({ ...checked, path }, run);
      const piece = readPiece(checked.own);
      return heavyWork.run(tenantId, piece ? pieceOf(answer, piece) : fitAnswer(answer));
    });
  }

  /** An entry may be named by its ID alone. */
  private async pathOf(
    { operation }: Tool,
    caller: Caller,
    path: Record<string, string>,
  ): Promise<Record<string, string>> {
    const { content_type_id: typeId, entry_id: entryId } = path;
    if (typeId !== undefined || entryId === undefined) return path;
    return { ...path, content_type_id: await this.types.of(caller, operation, entryId) };
  }

  private listing(tool: Tool): ListedTool {
    const known = this.listed.get(tool.name);
    if (known) return known;
    const document = this.document.get();
    const { name, title, effect } = tool;
    const listing: ListedTool = {
      name,
      title,
      description: describe(tool),
      inputSchema: inputSchema(document, tool),
      outputSchema: outputSchema(document, tool),
      annotations: {
        readOnlyHint: effect === 'reads',
        destructiveHint: effect === 'changes what is live',
        openWorldHint: false,
      },
    };
    this.listed.set(name, listing);
    return listing;
  }
}

function runOperation({ operation }: Tool): NonNullable<Tool['run']> {
  return ({ path, query, body }, run) => run(operation, { path, query, ...(Object.keys(body).length > 0 && { body }) });
}

/** Where a call reads on in a text. Throws a 400 if it cannot be read. */
function readPiece({ field, offset }: Arguments['own']): PiecePlace | undefined {
  if (field === undefined) {
    if (offset === undefined) return undefined;
    throw Problem.parameter('offset', 'offset needs field.');
  }
  if (typeof field !== 'string') throw Problem.parameter('field', 'field must be a string.');
  const start = offset ?? 0;
  if (Number.isSafeInteger(start) && (start as number) >= 0) return { field, offset: start as number };
  throw Problem.parameter('offset', 'offset must be an integer of at least 0.');
}
