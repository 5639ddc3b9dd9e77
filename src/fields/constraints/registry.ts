import type { ConstraintName, FieldDefinition } from '../field-definition.js';
import type { FieldType } from '../field-type.js';
import { both, type SchemaObject } from '../json-schemas/schema-object.js';
import { accept } from './accept.js';
import { max, min } from './bounds.js';
import type { CheckOfList, CheckOfValue, Constraint } from './constraint.js';
import { blocksConstraint, fieldsConstraint } from './definitions-inside.js';
import { html } from './html.js';
import { maxBytes } from './max-bytes.js';
import { multiple } from './multiple.js';
import { onDelete } from './on-delete.js';
import { options } from './options.js';
import { pattern } from './pattern.js';
import { required } from './required.js';
import { contentType, contentTypes } from './targets.js';
import { unique } from './unique.js';

/** Every constraint by the name of its attribute. Values are checked in this order. */
export const CONSTRAINTS: Readonly<Record<ConstraintName, Constraint>> = {
  required,
  min,
  max,
  pattern,
  unique,
  options,
  html,
  multiple,
  content_type: contentType,
  content_types: contentTypes,
  on_delete: onDelete,
  max_bytes: maxBytes,
  accept,
  fields: fieldsConstraint,
  blocks: blocksConstraint,
};

export const CONSTRAINT_NAMES = Object.keys(CONSTRAINTS) as readonly ConstraintName[];

/** The constraints that values are checked against. */
const CHECKING = CONSTRAINT_NAMES.filter((name) => CONSTRAINTS[name].values.of !== 'nothing');

/** Returns the constraint of that name, if there is one. */
export function constraintNamed(name: string): Constraint | undefined {
  return Object.hasOwn(CONSTRAINTS, name) ? CONSTRAINTS[name as ConstraintName] : undefined;
}

const namesByType = new WeakMap<FieldType, readonly ConstraintName[]>();

/** The constraints that fields of a type can have: those that it lists, in its order, then those that apply to it by themselves. */
export function constraintsOf(type: FieldType): readonly ConstraintName[] {
  const known = namesByType.get(type);
  if (known) return known;
  const { constraints } = type;
  const others = CONSTRAINT_NAMES.filter(
    (name) => !constraints.includes(name) && CONSTRAINTS[name].appliesTo?.(type) === true,
  );
  const names = [...constraints, ...others];
  namesByType.set(type, names);
  return names;
}

/** The checks of the constraints that a definition has: of each value, and of a list. */
export interface ValueChecks {
  readonly ofValue: readonly CheckOfValue[];
  readonly ofList: readonly CheckOfList[];
}

/** Fields with the same constraints share their checks. There are few combinations of the constraints that check values. */
const checksByNames = new Map<string, ValueChecks>();

/** Returns what the values of a field are checked against. The definition must be valid. */
export function checksOf(definition: FieldDefinition, type: FieldType): ValueChecks {
  const applicable = constraintsOf(type);
  let names = '';
  for (const name of CHECKING) if (definition[name] !== undefined && applicable.includes(name)) names += `${name} `;
  const known = checksByNames.get(names);
  if (known) return known;
  const checks = names.split(' ').flatMap((name) => constraintNamed(name)?.values ?? []);
  const all: ValueChecks = {
    ofValue: checks.flatMap((one) => (one.of === 'value' ? one.check : [])),
    ofList: checks.flatMap((one) => (one.of === 'list' ? one.check : [])),
  };
  checksByNames.set(names, all);
  return all;
}

/** What the constraints of a definition demand of each value, as JSON Schema. */
export function valueSchemaOf(definition: FieldDefinition, type: FieldType): SchemaObject {
  return demandsOf(definition, type, 'value');
}

/** What the constraints of a definition demand of a list of values as a whole, as JSON Schema. */
export function listSchemaOf(definition: FieldDefinition, type: FieldType): SchemaObject {
  return demandsOf(definition, type, 'list');
}

function demandsOf(definition: FieldDefinition, type: FieldType, of: 'value' | 'list'): SchemaObject {
  const applicable = constraintsOf(type);
  return CHECKING.filter((name) => definition[name] !== undefined && applicable.includes(name))
    .map((name) => CONSTRAINTS[name])
    .filter(({ values }) => values.of === of)
    .reduce<SchemaObject>((schema, one) => both(schema, { ...one.valueSchema?.(definition, type) }), {});
}
