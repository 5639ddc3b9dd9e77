import { namedTypes } from '../../fields/constraints/targets.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { orNull, type SchemaObject } from '../../fields/json-schemas/schema-object.js';
import type { Schema } from '../../fields/schema.js';
import { COLUMN_NAMES } from '../../content/lists/entry-columns.js';
import { MAX_KEYS } from '../../content/lists/entry-sort.js';
import { MAX_FILTERS, MAX_LIST } from '../../lists/filters/filters.js';
import { meaningOf, type Operator, OPERATOR_NAMES } from '../../lists/filters/operators.js';
import type { ContractedType } from '../contracted.js';
import type { ContractParts } from './contract-parts.js';
import { includePaths } from './include-paths.js';
import { SCHEMAS } from './service-document.js';

/** Names that are always operators in `where`. */
const WHERE_OPERATORS: readonly string[] = ['and', 'or', 'not'];

/** A name behind a reference, or a part of one. */
const DOTTED: SchemaObject = { type: 'string', pattern: '\\.' };

/** The schemas of the parameters of a list of entries that depend on the content type, by the names of the parameters. */
export class ListParameters {
  constructor(
    private readonly parts: ContractParts,
    private readonly types: ReadonlyMap<string, ContractedType>,
  ) {}

  /** `conditions` is the name of the component for `where`, which is added. */
  of(type: ContractedType, conditions: string): Readonly<Record<string, object>> {
    const { schema } = type;
    this.parts.schemas.set(conditions, this.conditions(schema, conditions));
    const where = {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: SCHEMAS + conditions },
    };
    return {
      sort: list({ type: 'string', enum: sortNames(schema) }, { minItems: 1, maxItems: MAX_KEYS }),
      filter: { schema: filterSchema(schema) },
      where: { schema: where },
      ...this.reading(type),
    };
  }

  /** The same for a response with one entry. */
  reading(type: ContractedType): Readonly<Record<string, object>> {
    const names = type.schema.ownFields.map(({ name }) => name);
    return {
      include: list(oneOf(includePaths(type, this.types))),
      select: list({ anyOf: [{ type: 'string', enum: names }, DOTTED] }),
    };
  }

  private conditions(schema: Schema, own: string): SchemaObject {
    const self = { $ref: SCHEMAS + own };
    const fields = filterable(schema).filter(({ path }) => !WHERE_OPERATORS.includes(path));
    const ofFields = fields.map((field) => [field.path, this.condition(field)] as const);
    const taken = new Set(fields.map(({ path }) => path));
    const ofColumns = COLUMN_NAMES.filter((name) => !taken.has(name)).map(
      (name) => [name, this.shared('string', false)] as const,
    );
    const references = fields.filter(({ definition }) => namedTypes(definition).length > 0);
    return {
      type: 'object',
      properties: {
        and: { type: 'array', items: self },
        or: { type: 'array', items: self },
        not: self,
        ...Object.fromEntries([...ofFields, ...ofColumns]),
      },
      // Conditions on what a reference leads to.
      ...(references.length > 0 && {
        patternProperties: { [`^(?:${references.map(({ path }) => path).join('|')})\\.`]: {} },
      }),
      additionalProperties: false,
    };
  }

  private condition(field: CompiledField): SchemaObject {
    const shared = this.shared(jsonTypeOf(field), field.textual);
    const { options } = field.definition;
    return options ? { anyOf: [{ type: 'string', enum: options }, shared] } : shared;
  }

  /** The component for conditions on values of a JSON type. */
  private shared(type: string, isTextual: boolean): SchemaObject {
    const name = `${isTextual ? 'Text' : type.charAt(0).toUpperCase() + type.slice(1)}Condition`;
    const operators = OPERATOR_NAMES.filter((operator) => isTextual || meaningOf(operator).operand !== 'string');
    const tests = Object.fromEntries(operators.map((operator) => [operator, operandSchema(operator, type)]));
    const object = { type: 'object', properties: tests, additionalProperties: false };
    return this.parts.shareSchema(name, { anyOf: [{ type: [type, 'null'] }, object] });
  }
}

function operandSchema(operator: Operator, type: string): SchemaObject {
  const { operand } = meaningOf(operator);
  if (operand === 'list') return { type: 'array', items: { type }, maxItems: MAX_LIST };
  const schema = { type: operand ?? type };
  return operator === 'eq' || operator === 'ne' ? orNull(schema) : schema;
}

/** As `where` reads values: a media value is compared by its URL. */
function jsonTypeOf({ type: { value } }: CompiledField): string {
  if (value.type === 'number' || value.type === 'integer') return 'number';
  return value.type === 'boolean' ? 'boolean' : 'string';
}

function filterSchema(schema: Schema): SchemaObject {
  const fields = filterable(schema).map((field) => [field.path, equalSchema(field)] as const);
  const columns = COLUMN_NAMES.map((name) => [name, { type: 'string' }] as const);
  return {
    type: 'object',
    properties: Object.fromEntries([...columns, ...fields]),
    additionalProperties: { type: 'string' },
    maxProperties: MAX_FILTERS,
  };
}

function equalSchema(field: CompiledField): SchemaObject {
  const { options } = field.definition;
  return options ? { type: 'string', enum: options } : { type: jsonTypeOf(field) };
}

function filterable({ fieldsAtPaths }: Schema): CompiledField[] {
  return fieldsAtPaths.filter((field) => field.filterable);
}

function sortNames({ fieldsAtPaths }: Schema): string[] {
  const names = fieldsAtPaths.filter(({ sortable }) => sortable).map(({ path }) => path);
  return [...new Set([...names, ...COLUMN_NAMES])].flatMap((name) => [name, `-${name}`]);
}

function oneOf({ paths, isComplete }: { paths: readonly string[]; isComplete: boolean }): SchemaObject {
  const known = paths.length > 0 ? { type: 'string', enum: paths } : undefined;
  if (isComplete) return known ?? { type: 'string', maxLength: 0 };
  return { anyOf: [...(known ? [known] : []), DOTTED] };
}

/** A parameter with several values, separated by commas. */
function list(items: SchemaObject, limits: SchemaObject = {}): object {
  return { schema: { type: 'array', items, ...limits }, style: 'form', explode: false };
}
