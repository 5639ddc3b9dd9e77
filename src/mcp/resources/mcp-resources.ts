import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import { mayCall } from '../../access/may-call.js';
import { ContentTypesController } from '../../content/content-types.controller.js';
import { EntriesController } from '../../content/entries/entries.controller.js';
import { TypeSchemasController } from '../../contract/type-schemas.controller.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { fitAnswer } from '../answers/fit-answer.js';
import { OperationAnswers } from '../answers/operation-answers.js';
import { MAX_ANSWER_BYTES } from '../answers/weight.js';
import { handlerOf, operation } from '../operations/operation.js';
import { EntryTypes } from '../tools/entry-types.js';
import { AS_DATA, type Client } from '../tools/tool.js';

const LIST_TYPES = operation(ContentTypesController, 'list');
const GET_ENTRY = operation(EntriesController, 'get');
const GET_SCHEMA = operation(TypeSchemasController, 'getContentTypeSchema');

const ADDRESS = /^trivet:\/\/(ten_[a-z0-9]{1,40})\/(types|entries)\/([A-Za-z0-9_-]{1,100})$/;
const SCHEMA_TYPE = 'application/schema+json';
const ENTRY_TYPE = 'application/json';

/** Resources of assistants: the JSON Schemas of content types, and entries. */
@Injectable()
export class McpResources {
  constructor(
    private readonly answers: OperationAnswers,
    private readonly types: EntryTypes,
  ) {}

  /** Lists the content types that the key may know of. Entries are found with tools. */
  async list({ caller, request }: Client, cursor = '') {
    if (!mayCall(caller, handlerOf(LIST_TYPES))) return { resources: [] };
    return this.answers.during(request, async (run) => {
      const { data, meta } = await run(LIST_TYPES, { query: { cursor, per_page: '100' } });
      const { next_cursor: nextCursor } = meta as { next_cursor: string | null };
      const resources = (data as { slug: string; name: string }[]).map(({ slug, name }) => ({
        uri: `trivet://${caller.tenantId}/types/${slug}`,
        name: slug,
        title: name,
        mimeType: SCHEMA_TYPE,
      }));
      return { resources, ...(nextCursor !== null && { nextCursor }) };
    });
  }

  templates({ tenantId }: Caller) {
    return {
      resourceTemplates: [
        {
          uriTemplate: `trivet://${tenantId}/types/{slug}`,
          name: 'content type',
          description: 'The JSON Schema of the fields of an entry.',
          mimeType: SCHEMA_TYPE,
        },
        {
          uriTemplate: `trivet://${tenantId}/entries/{entry_id}`,
          name: 'entry',
          description: `An entry as get_entry returns it. ${AS_DATA}`,
          mimeType: ENTRY_TYPE,
        },
      ],
    };
  }

  /** Throws a 404 for an address that leads to no resource of the tenant, and a 403 if the key may not read it. */
  async read(client: Client, uri: string) {
    const [, tenantId, kind, name = ''] = ADDRESS.exec(uri) ?? [];
    if (tenantId !== client.caller.tenantId) throw Problem.notFound('resource');
    const contents = kind === 'types' ? await this.schema(client, name) : await this.entry(client, name);
    return { contents: [{ uri, ...contents }] };
  }

  private async schema({ request }: Client, slug: string) {
    const schema = await this.answers.during(request, (run) => run(GET_SCHEMA, { path: { content_type_id: slug } }));
    const text = JSON.stringify(schema);
    if (Buffer.byteLength(text) <= MAX_ANSWER_BYTES) return { mimeType: SCHEMA_TYPE, text };
    throw new Problem(
      'invalid_parameter',
      'The schema is too large for a resource. The tool get_content_type reads it in pieces.',
    );
  }

  private async entry({ caller, request }: Client, entryId: string) {
    const typeId = await this.types.of(caller, GET_ENTRY, entryId);
    return this.answers.during(request, async (run) => {
      const answer = await run(GET_ENTRY, { path: { content_type_id: typeId, entry_id: entryId } });
      const fitting = await heavyWork.run(caller.tenantId, fitAnswer(answer));
      return { mimeType: ENTRY_TYPE, text: JSON.stringify(fitting) };
    });
  }
}
