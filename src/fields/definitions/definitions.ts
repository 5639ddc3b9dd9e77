import { heavyWork } from '../../admission/heavy-work.js';
import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import { ValueError } from '../../errors/problem.js';
import { suggestion } from '../../validation/suggestion.js';
import { attributeNamed, attributeNames, RENAMED_FROM } from './attributes.js';
import { Check, Validation } from '../check.js';
import { CompiledField } from '../compiled-field.js';
import { AttributeCheck } from '../constraints/attribute-check.js';
import { patternsIn } from '../constraints/pattern.js';
import { CONSTRAINT_NAMES, constraintNamed, CONSTRAINTS, constraintsOf } from '../constraints/registry.js';
import { ConstraintName, FieldDefinition, FieldKind } from '../field-definition.js';
import { FieldType } from '../field-type.js';
import { StepBudget } from '../patterns/pattern.js';
import { findPatternFaults, matchDeferredPatterns } from '../patterns/pattern-runner.js';
import { MAX_DEFINITIONS, MAX_DEFINITION_LEVELS } from './placed-definitions.js';
import { isRecord } from '../record.js';
import { typesOf } from '../registry.js';
import { shorten } from '../formats/text.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

const MAX_FIELDS = 100;

/** The allowed field names by kind, and the names that are reserved for the resource itself or by JavaScript. */
export const NAMES: Record<FieldKind, { pattern: RegExp; reserved: readonly string[] }> = {
  content: {
    pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
    reserved: ['id', 'content_type_id', 'status', 'created_at', 'updated_at', 'constructor', 'prototype'],
  },
  form: {
    pattern: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    reserved: ['id', 'form_id', 'created_at', 'constructor', 'prototype'],
  },
};

/** The name by which an item of a list of blocks says which block it is. */
export const BLOCK = 'block';

/** Attributes that need the whole definition to be checked. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(['name', 'type', 'default']);

/** Attributes of a block. */
const BLOCK_ATTRIBUTES = ['name', 'label', 'fields'];

/** Errors after which no similar name is suggested any more. Comparing many names would take long. */
const MAX_HINTS = 20;

/** What other services call a type. */
const SYNONYMS: Record<string, string> = {
  string: 'text',
  str: 'text',
  varchar: 'text',
  markdown: 'rich_text',
  html: 'rich_text',
  wysiwyg: 'rich_text',
  int: 'integer',
  float: 'number',
  decimal: 'number',
  double: 'number',
  bool: 'boolean',
  timestamp: 'datetime',
  image: 'media',
  file: 'media',
  asset: 'media',
  enum: 'select',
  choice: 'select',
  dropdown: 'select',
  relation: 'reference',
  component: 'group',
  repeater: 'group',
  dynamiczone: 'blocks',
  object: 'json',
  phone: 'tel',
  link: 'url',
};

function meantType(name: string, known: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  const synonym = Object.hasOwn(SYNONYMS, lowerCase) ? SYNONYMS[lowerCase] : undefined;
  return synonym !== undefined && known.includes(synonym) ? ` Did you mean ${synonym}?` : undefined;
}

/**
 * Returns every error of a list of field definitions from a request. A list without errors is a valid `FieldDefinition[]`. The caller must
 * check that the content types of references exist. Patterns are compiled in the turn of `key` (the tenant).
 */
export async function checkDefinitions(
  key: string,
  value: unknown,
  kind: FieldKind,
  options: { path?: string; isHeavy?: boolean; allowsRenames?: boolean } = {},
): Promise<ValueError[]> {
  const { path = 'fields', allowsRenames = false } = options;
  const effort = new StepBudget();
  const patternFaults = await findPatternFaults(key, patternsIn(value), effort);
  const validation = new Validation(effort);
  const left = { definitions: MAX_DEFINITIONS };
  const place = { path, root: path, level: 0, isInBlock: false };
  const steps = inspectDefinitions(value, { kind, allowsRenames, validation, patternFaults, left, ...place });
  if (options.isHeavy) await heavyWork.run(key, steps);
  else runAtOnce(steps);
  await matchDeferredPatterns(key, validation);
  return validation.errors;
}

interface ListCheck {
  kind: FieldKind;
  path: string;
  /** Whether definitions may have `renamed_from`. */
  allowsRenames: boolean;
  validation: Validation;
  /** The error of each pattern in the request, by its source; undefined if it is valid. */
  patternFaults: ReadonlyMap<string, string | undefined>;
  /** Definitions that may still follow, at all levels. */
  left: { definitions: number };
  /** The path of the outermost list. */
  root: string;
  /** Groups and blocks around the list. */
  level: number;
  isInBlock: boolean;
}

function* inspectDefinitions(value: unknown, check: ListCheck): SlicedWork<void> {
  const { path, validation, left, level, isInBlock } = check;
  const max = level === 0 ? MAX_FIELDS : MAX_DEFINITIONS;
  // A block without fields is a divider, for example.
  const min = isInBlock ? 0 : 1;
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (!Array.isArray(value)) return validation.add(path, 'type', `${name} must be a list.`);
  if (value.length < min || value.length > max) {
    return validation.add(path, 'length', `${name} must have between ${min} and ${max} definitions.`);
  }
  const names = new Set<string>();
  for (const [index, definition] of value.entries()) {
    if (--left.definitions < 0) return reportTooMany(check);
    yield* new DefinitionCheck({ ...check, path: `${path}.${index}` }, names).run(definition);
    yield;
  }
}

/** Reports once that there are too many definitions. The others are not looked at. */
function reportTooMany({ validation, left, root }: ListCheck): void {
  if (left.definitions === -1)
    validation.add(root, 'length', `${root} must have at most ${MAX_DEFINITIONS} definitions in all.`);
}

/** Whether definitions of a type can have an attribute that the kind has. */
function canHave(type: FieldType, name: string): boolean {
  if (name === 'default') return !type.isFile;
  return constraintNamed(name) === undefined || constraintsOf(type).some((one) => one === name);
}

class DefinitionCheck {
  private readonly kind: FieldKind;
  private readonly path: string;
  private readonly validation: Validation;
  /** The type of the definition, if it is known. */
  private typeName = '';

  constructor(
    private readonly list: ListCheck,
    private readonly names: Set<string>,
  ) {
    this.kind = list.kind;
    this.path = list.path;
    this.validation = list.validation;
  }

  *run(definition: unknown): SlicedWork<void> {
    if (!isRecord(definition)) {
      this.validation.add(this.path, 'type', 'A field definition must be an object.');
      return;
    }
    const before = this.validation.errorCount;
    // A map, because an object may have keys such as `__proto__`.
    const attributes = new Map<string, unknown>(Object.entries(definition));
    this.checkName(attributes.get('name'));
    const type = this.checkType(attributes.get('type'));
    for (const [name, value] of attributes) this.checkAttribute(name, value, type);
    if (!type) return;
    for (const name of constraintsOf(type)) this.checkPresence(name, attributes);
    for (const name of CONSTRAINT_NAMES) {
      if (attributes.has(name)) CONSTRAINTS[name].checkTogether?.(attributes, this.attributeCheck(name, type));
    }
    if (type.parts) yield* this.checkInner(attributes);
    // A default can be checked only against a definition that is otherwise valid.
    if (attributes.has('default') && this.validation.errorCount === before) {
      yield* this.checkDefault(definition as unknown as FieldDefinition, type);
    }
  }

  private checkName(name: unknown): void {
    const { pattern, reserved } = NAMES[this.kind];
    if (name === undefined) return this.fault('name', 'required', 'is required');
    if (typeof name !== 'string') return this.fault('name', 'type', 'must be a string');
    if (!pattern.test(name)) {
      const signs = this.kind === 'form' ? 'letters, digits, _ and -' : 'letters, digits and _';
      return this.fault('name', 'format', `must begin with a letter and have at most 64 ${signs}`);
    }
    if (reserved.includes(name) || (this.list.isInBlock && name === BLOCK))
      return this.fault('name', 'reserved', `must not be ${name}, which is reserved`);
    if (this.names.has(name))
      return this.fault('name', 'duplicate', `must be unique within the list, but ${name} appears twice`);
    this.names.add(name);
  }

  private checkType(name: unknown): FieldType | undefined {
    const types = typesOf(this.kind);
    const type = typeof name === 'string' ? types.get(name) : undefined;
    if (type) this.typeName = String(name);
    if (name === undefined) this.fault('type', 'required', 'is required');
    else if (typeof name !== 'string') this.fault('type', 'type', 'must be a string');
    else if (!type) this.unsupported(name, [...types.keys()]);
    else if (type.parts && this.list.level >= MAX_DEFINITION_LEVELS)
      this.fault('type', 'too_deep', `must not be ${name} inside ${MAX_DEFINITION_LEVELS} levels of groups and blocks`);
    return type;
  }

  private checkAttribute(name: string, value: unknown, type: FieldType | undefined): void {
    const isAllowed = name !== RENAMED_FROM || this.list.allowsRenames;
    const constraint = constraintNamed(name);
    const attribute = attributeNamed(name, this.kind);
    const checkAttribute = constraint?.checkAttribute ?? attribute?.check;
    if (!isAllowed || (!checkAttribute && !OWN_ATTRIBUTES.has(name))) return this.unknownAttribute(name);
    if (type && !canHave(type, name)) {
      return this.fault(name, 'not_applicable', `does not apply to the type ${this.typeName}`);
    }
    if (this.list.level > 0 && ((constraint ?? attribute)?.isOuterOnly || name === 'default')) {
      return this.fault(name, 'not_applicable', 'does not apply inside a group or a block');
    }
    checkAttribute?.(value, this.attributeCheck(name, type));
  }

  private attributeCheck(name: string, type: FieldType | undefined): AttributeCheck {
    const { validation, patternFaults } = this.list;
    return new AttributeCheck(name, `${this.path}.${name}`, validation, type, patternFaults);
  }

  private unsupported(name: string, known: readonly string[]): void {
    const hint = meantType(name, known) ?? suggestion(name, known);
    this.validation.add(`${this.path}.type`, 'unsupported', `type must be one of ${known.join(', ')}.${hint}`);
  }

  private unknownAttribute(name: string, noun = 'a field definition', known?: readonly string[]): void {
    const isEarly = this.validation.errors.length < MAX_HINTS;
    const all = [...OWN_ATTRIBUTES, ...CONSTRAINT_NAMES, ...attributeNames(this.kind)];
    const names = all.filter((one) => one !== RENAMED_FROM || this.list.allowsRenames);
    const hint = isEarly ? suggestion(name, known ?? names) : '';
    const attribute = shorten(name);
    const message = `${attribute} is not an attribute of ${noun}.${hint}`;
    this.validation.add(`${this.path}.${attribute}`, 'unknown_property', message);
  }

  /** Checks that a required constraint is there, or one of its alternatives. */
  private checkPresence(name: ConstraintName, attributes: ReadonlyMap<string, unknown>): void {
    const alternatives = CONSTRAINTS[name].requiredUnless;
    if (!alternatives) return;
    const sent = alternatives.filter((one) => attributes.has(one));
    if (attributes.has(name)) {
      for (const other of sent) this.fault(other, 'not_applicable', `must not be sent together with ${name}`);
    } else if (sent.length === 0) this.fault(name, 'required', 'is required for this type');
  }

  /** Checks the definitions that the definition holds. */
  private *checkInner(attributes: ReadonlyMap<string, unknown>): SlicedWork<void> {
    if (this.list.level >= MAX_DEFINITION_LEVELS) return;
    const inner = { ...this.list, level: this.list.level + 1, isInBlock: false };
    const [fields, blocks] = [attributes.get('fields'), attributes.get('blocks')];
    if (fields !== undefined) yield* inspectDefinitions(fields, { ...inner, path: `${this.path}.fields` });
    if (blocks === undefined) return;
    if (!Array.isArray(blocks)) return this.fault('blocks', 'type', 'must be a list');
    if (blocks.length < 1 || blocks.length > MAX_DEFINITIONS) {
      return this.fault('blocks', 'length', `must have between 1 and ${MAX_DEFINITIONS} blocks`);
    }
    const names = new Set<string>();
    for (const [index, block] of blocks.entries()) {
      yield* this.checkBlock(block, names, { ...inner, path: `${this.path}.blocks.${index}`, isInBlock: true });
    }
  }

  private *checkBlock(block: unknown, names: Set<string>, inner: ListCheck): SlicedWork<void> {
    const { path, validation } = inner;
    if (!isRecord(block)) return validation.add(path, 'type', 'A block must be an object.');
    const check = new DefinitionCheck(inner, names);
    const attributes = new Map<string, unknown>(Object.entries(block));
    check.checkName(attributes.get('name'));
    for (const [name, value] of attributes) {
      if (!BLOCK_ATTRIBUTES.includes(name)) check.unknownAttribute(name, 'a block', BLOCK_ATTRIBUTES);
      else if (name === 'label') check.checkAttribute(name, value, undefined);
    }
    const fields = attributes.get('fields');
    if (fields === undefined) check.fault('fields', 'required', 'is required');
    else yield* inspectDefinitions(fields, { ...inner, path: `${path}.fields` });
  }

  private *checkDefault(definition: FieldDefinition, type: FieldType): SlicedWork<void> {
    const value: unknown = definition.default;
    if (value === null) return this.fault('default', 'type', 'must be a valid value of the field');
    const check = new Check(definition, `${this.path}.default`, this.validation);
    yield* new CompiledField(definition, type, this.kind).inspectSliced(value, check);
  }

  private fault(attribute: string, code: ValueErrorCode, predicate: string): void {
    this.validation.add(`${this.path}.${attribute}`, code, `${attribute} ${predicate}.`);
  }
}
