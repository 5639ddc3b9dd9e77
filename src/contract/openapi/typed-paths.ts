import { type SlicedWork } from '../../admission/sliced-work.js';
import { type SchemaObject, withoutKeywords } from '../../fields/json-schemas/schema-object.js';
import { type Use, ValueSchemas } from '../../fields/json-schemas/value-schemas.js';
import type { ContractedType } from '../contracted.js';
import { type Ending, nameOfSlug } from './contract-names.js';
import { type ContractParts, pascal } from './contract-parts.js';
import { ListParameters } from './list-parameters.js';
import { mapReferences } from './map-references.js';
import type { ServiceDocument } from './service-document.js';
import { SCHEMAS } from './service-document.js';

/** The operations that a contract has for each content type. */
const OPERATIONS = [
  'listEntries',
  'createEntry',
  'getEntry',
  'updateEntry',
  'deleteEntry',
  'getEntryByValue',
  'getDraft',
  'saveDraft',
  'discardDraft',
  'publishDraft',
];

const ENDING: Readonly<Record<Use, Ending>> = { read: 'Fields', create: 'NewFields', update: 'ChangedFields' };

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  name: string;
  in: string;
  description?: string;
}

/** Writes the paths of the content types of a tenant, and the components that they need. */
export class TypedPaths {
  private readonly lists: ListParameters;
  private readonly values: Readonly<Record<Use, ValueSchemas>>;

  constructor(
    private readonly service: ServiceDocument,
    private readonly parts: ContractParts,
    private readonly tenantId: string,
    types: ReadonlyMap<string, ContractedType>,
  ) {
    this.lists = new ListParameters(parts, types);
    const share = (name: string, schema: SchemaObject) => parts.shareSchema(`${pascal(name)}Value`, schema);
    this.values = {
      read: new ValueSchemas('read', share),
      create: new ValueSchemas('create', share),
      update: new ValueSchemas('update', share),
    };
  }

  *add(type: ContractedType): SlicedWork<void> {
    const name = nameOfSlug(type.slug, this.service.taken);
    for (const use of ['read', 'create', 'update'] as const) {
      this.parts.schemas.set(name + ENDING[use], yield* this.values[use].of(type.schema));
    }
    const typed = new TypedComponents(this.service, this.parts, name);
    const parameters = {
      ...this.lists.of(type, `${name}Conditions`),
      field: { schema: { type: 'string', enum: uniqueNames(type) } },
    };
    for (const id of OPERATIONS) {
      if (id !== 'getEntryByValue' || uniqueNames(type).length > 0) this.addOperation(id, type, typed, parameters);
      yield;
    }
  }

  private addOperation(
    id: string,
    { slug, name, isPublic }: ContractedType,
    typed: TypedComponents,
    own: Readonly<Record<string, object>>,
  ): void {
    const { path, method, operation } = this.service.operation(id);
    const parameters = (operation.parameters ?? []) as unknown as Parameter[];
    const isFixed = ({ name: one }: Parameter) => one === 'tenant_id' || one === 'content_type_id';
    this.parts.addOperation(path.replace('{tenant_id}', this.tenantId).replace('{content_type_id}', slug), method, {
      ...operation,
      operationId: id.replace(/^([a-z]+)/, `$1${typed.name}`),
      summary: `${operation.summary}: ${name}`,
      description: `As _${operation.summary}_, for the content type \`${slug}\`.`,
      parameters: parameters.filter((one) => !isFixed(one)).map((one) => this.parameter(one, own[one.name])),
      ...(operation.requestBody && { requestBody: typed.map(operation.requestBody) }),
      responses: typed.map(operation.responses),
      security: operation.security?.filter((one) => isPublic || Object.keys(one).length > 0),
    });
  }

  /** `own` replaces the schema of a parameter that differs for each content type. */
  private parameter(parameter: Parameter, own: object | undefined): Json {
    if (!own) return this.parts.shareParameter(parameter as unknown as Json);
    return { ...parameter, ...own, description: briefly(parameter.description) };
  }
}

/** The components of one content type: those of the service, with the values of the type. */
class TypedComponents {
  constructor(
    private readonly service: ServiceDocument,
    private readonly parts: ContractParts,
    readonly name: string,
  ) {}

  /** Replaces the references in a part of the document by those to components of the type. */
  map(value: unknown): unknown {
    return mapReferences(value, (reference) => {
      const component = reference.slice(SCHEMAS.length);
      if (!reference.startsWith(SCHEMAS) || !this.service.isOfType(component)) return reference;
      this.add(component);
      return SCHEMAS + this.name + component;
    });
  }

  private add(component: string): void {
    const own = this.name + component;
    if (this.parts.schemas.has(own)) return;
    const { properties, ...schema } = withoutKeywords(this.service.schema(component), ['description']) as Json & {
      properties: Json;
    };
    // Included entries are of any content type.
    const { included, ...rest } = properties;
    this.parts.schemas.set(own, schema);
    const mapped = this.map(rest) as Json;
    const use = this.service.useOf(component);
    const fields = use && { fields: { $ref: SCHEMAS + this.name + ENDING[use] } };
    this.parts.schemas.set(own, {
      ...schema,
      properties: { ...(included !== undefined && { included }), ...mapped, ...fields },
    });
  }
}

/** The first sentence: the rest is at the parameter of the service. */
function briefly(description = ''): string {
  return /^[^.]*\.(?=\s|$)/.exec(description)?.[0] ?? description;
}

function uniqueNames({ schema }: ContractedType): string[] {
  return schema.ownFields.filter(({ unique }) => unique).map(({ name }) => name);
}
