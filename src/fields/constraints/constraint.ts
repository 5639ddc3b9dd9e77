import type { Check } from '../check.js';
import type { FieldDefinition, FieldKind } from '../field-definition.js';
import type { FieldType } from '../field-type.js';
import type { JsonSchema } from '../definitions/json-schema.js';
import type { AttributeCheck } from './attribute-check.js';

/**
 * What an attribute of a definition demands of the values of the field. To add one, write one file that declares the attribute and exports
 * a `Constraint`, and add one line to the registry. Types list the constraints that their fields can have.
 */
export interface Constraint {
  /** Whether fields of a type can have it although the type does not list it. */
  readonly appliesTo?: (type: FieldType) => boolean;

  /** Whether only fields of the record itself can have it, not those inside a group or a block. */
  readonly isOuterOnly?: true;

  /** Whether a definition must have it, unless it has one of the constraints that are listed here. */
  readonly requiredUnless?: readonly string[];

  /** Reports what is wrong with the attribute in a definition from a request. */
  readonly checkAttribute: (value: unknown, check: AttributeCheck) => void;

  /** Reports what contradicts the other attributes of the definition. They may have errors, or not apply to the type. */
  readonly checkTogether?: (attributes: ReadonlyMap<string, unknown>, check: AttributeCheck) => void;

  /** Returns the OpenAPI schema of the attribute in definitions of a type. */
  readonly schema: (type: FieldType, kind: FieldKind) => JsonSchema;

  /** What it demands of each value, or of the list as a whole, as JSON Schema. Undefined if that cannot say it. */
  readonly valueSchema?: (definition: FieldDefinition, type: FieldType) => JsonSchema | undefined;

  /** How values are checked against it. The definition has the attribute. */
  readonly values: ValueCheck;

  /** What its change means for stored values. */
  readonly change: ConstraintChange;
}

/** Checks each value that the type accepts, or a list as a whole before its values; `nothing` if values are checked in other places only. */
export type ValueCheck = { of: 'value'; check: CheckOfValue } | { of: 'list'; check: CheckOfList } | { of: 'nothing' };

export type CheckOfValue = (value: unknown, check: Check, type: FieldType) => void;
export type CheckOfList = (list: readonly unknown[], check: Check) => void;

/**
 * What a change concerns. `values`: stored values are checked again if it is tighter; `references`: they are looked up again; `claims`: they
 * must be claimed; `presence`: entries without a value stay as they are until they are written; `shape`: values are converted, or
 * compared definition by definition; `nothing`: it only says what happens from now on.
 */
export type ConstraintChange =
  | {
      concerns: 'values' | 'references' | 'claims' | 'presence';
      /** Whether values that fit the definition before may not fit the one after. With exchanged arguments: whether the change is wider. */
      isTighter: (before: FieldDefinition, after: FieldDefinition) => boolean;
    }
  | { concerns: 'shape' | 'nothing' };
