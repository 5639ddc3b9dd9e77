import type { SlicedWork } from '../../admission/sliced-work.js';
import type { CompiledField, FieldList } from '../compiled-field.js';
import { MAX_ELEMENTS } from '../constraints/multiple.js';
import { listSchemaOf, valueSchemaOf } from '../constraints/registry.js';
import type { FieldType } from '../field-type.js';
import type { Schema } from '../schema.js';
import { both, NOTES, orNull, type SchemaObject, withoutKeywords } from './schema-object.js';

/** What the values are for: to be read, for a new record, or to change one. */
export type Use = 'read' | 'create' | 'update';

/** Returns what stands for a schema that many fields have: a reference to it, if it is defined once. `name` is that of the type, or of its part. */
export type ShareSchema = (name: string, schema: SchemaObject) => SchemaObject;

/** Characters of a schema that is not worth a definition of its own. */
const SHORT = 60;

/**
 * Writes JSON Schemas (2020-12) of the values of records. They are made of what the types and constraints declare, as the check of values is. What
 * JSON Schema cannot say is listed in `beyond-json-schema.ts`.
 */
export class ValueSchemas {
  constructor(
    private readonly use: Use,
    private readonly share: ShareSchema,
  ) {}

  /** The schema of all values of a record. */
  *of(schema: Schema): SlicedWork<SchemaObject> {
    return yield* this.object(schema.ownFields, true);
  }

  private *object(fields: readonly CompiledField[], isOuter: boolean, block?: string): SlicedWork<SchemaObject> {
    const properties: Record<string, SchemaObject> = {};
    const required: string[] = [];
    if (block !== undefined) {
      properties['block'] = { const: block };
      required.push('block');
    }
    for (const field of fields) {
      const mustBeThere = field.required && field.definition.default === undefined;
      if (mustBeThere && !(this.use === 'update' && isOuter)) required.push(field.name);
      properties[field.name] = yield* this.property(field, mustBeThere || (this.use === 'update' && field.required));
      yield;
    }
    // Stored values may lack what became required later, and responses what was not selected.
    const needed = this.use === 'read' ? required.slice(0, block === undefined ? 0 : 1) : required;
    return {
      type: 'object',
      properties,
      ...(needed.length > 0 && { required: needed }),
      ...(this.use !== 'read' && { additionalProperties: false }),
    };
  }

  private *property(field: CompiledField, isNeeded: boolean): SlicedWork<SchemaObject> {
    if (this.use === 'read') return { ...notesOf(field), ...(field.isKept ? {} : yield* this.value(field)) };
    // No request changes such values.
    if (field.isKept) return { type: 'null' };
    const schema = yield* this.value(field);
    if (!isNeeded) return orNull(schema);
    return Object.keys(schema).length === 0 ? { not: { type: 'null' } } : schema;
  }

  private *value(field: CompiledField): SlicedWork<SchemaObject> {
    const element = yield* this.element(field);
    if (!field.multiple) return element;
    const list = { type: 'array', ...(Object.keys(element).length > 0 && { items: element }), maxItems: MAX_ELEMENTS };
    return this.use === 'read' ? list : both(list, listSchemaOf(field.definition, field.type));
  }

  private *element({ parts, type, definition }: CompiledField): SlicedWork<SchemaObject> {
    const [first, ...others] = parts;
    if (first) {
      const objects = [yield* this.part(first)];
      for (const part of others) objects.push(yield* this.part(part));
      return objects.length === 1 ? (objects[0] ?? {}) : { oneOf: objects };
    }
    const one = this.ofType(definition.type, type);
    const all = valueSchemaOf(definition, type);
    const demanded = this.use === 'read' ? optionsOnly(all) : all;
    // Beside a reference, validators that are strict want to know what the limits are of.
    const isApart = '$ref' in one && Object.keys(demanded).length > 0;
    return both(isApart ? { type: type.value.type, ...one } : one, demanded);
  }

  private *part({ fields, block }: FieldList): SlicedWork<SchemaObject> {
    return yield* this.object(fields, false, block);
  }

  /** A value that is shown may have more properties than one that is sent: those of a file in full. */
  private ofType(name: string, type: FieldType): SchemaObject {
    const own = withoutKeywords(type.value, NOTES);
    if (this.use !== 'read') {
      return this.shared(name, type.reference ? { anyOf: [own, type.reference as SchemaObject] } : own);
    }
    const isClosed = type.value.additionalProperties === false;
    return isClosed
      ? this.shared(`shown_${name}`, withoutKeywords(own, ['additionalProperties']))
      : this.shared(name, own);
  }

  private shared(name: string, schema: SchemaObject): SchemaObject {
    return JSON.stringify(schema).length <= SHORT ? schema : this.share(name, schema);
  }
}

/** Limits concern those who write. A stored value keeps to them, too, but a client that reads needs only to know its type. */
function optionsOnly({ enum: values }: SchemaObject): SchemaObject {
  return values === undefined ? {} : { enum: values };
}

function notesOf({ definition: { label, help } }: CompiledField): SchemaObject {
  return { ...(label && { title: label }), ...(help && { description: help }) };
}
