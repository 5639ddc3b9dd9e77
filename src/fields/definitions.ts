import { heavyWork } from '../admission/heavy-work.js';
import { runNow, type Steps } from '../admission/steps.js';
import { ValueError } from '../errors/problem.js';
import { suggestion } from '../validation/suggestion.js';
import { type AttributeCheck, ATTRIBUTES, MAX_PATTERN, RENAMED_FROM } from './attributes.js';
import { Check, Findings } from './check.js';
import { CompiledField } from './compiled-field.js';
import { Constraint, FieldDefinition, FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { StepBudget } from './pattern.js';
import { findPatternFaults, matchDeferredPatterns } from './pattern-runner.js';
import { MAX_DEFINITIONS, MAX_LEVELS, placedDefinitions } from './placed-definitions.js';
import { isRecord } from './record.js';
import { typesOf } from './registry.js';
import { shorten } from './text.js';
import type { ValueErrorCode } from '../errors/value-errors.js';

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

/** Attributes that every type has. */
const COMMON = new Set(['name', 'type', 'required', 'default', 'label', 'help']);

/** Attributes that hold definitions. */
const LISTS = new Set(['fields', 'blocks']);

const ALL_ATTRIBUTES = [...COMMON, ...ATTRIBUTES.keys(), ...LISTS];

/** Attributes of a block. */
const BLOCK_ATTRIBUTES = ['name', 'label', 'fields'];

/** Attributes that a definition inside another one cannot have. */
const ONLY_OUTSIDE = new Set(['unique', 'default']);

/** Attributes that are required by the types that have them. Exactly one of each group must be sent. */
export const REQUIRED_ATTRIBUTES: readonly (readonly [Constraint, ...Constraint[]])[] = [
  ['options'],
  ['content_type', 'content_types'],
  ['fields'],
  ['blocks'],
];

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
  const findings = new Findings(effort);
  const left = { definitions: MAX_DEFINITIONS };
  const place = { path, root: path, level: 0, isInBlock: false };
  const steps = inspectDefinitions(value, { kind, allowsRenames, findings, patternFaults, left, ...place });
  if (options.isHeavy) await heavyWork.run(key, steps);
  else runNow(steps);
  await matchDeferredPatterns(key, findings);
  return findings.errors;
}

interface ListCheck {
  kind: FieldKind;
  path: string;
  /** Whether definitions may have `renamed_from`. */
  allowsRenames: boolean;
  findings: Findings;
  patternFaults: AttributeCheck['patternFaults'];
  /** Definitions that may still follow, at all levels. */
  left: { definitions: number };
  /** The path of the outermost list. */
  root: string;
  /** Groups and blocks around the list. */
  level: number;
  isInBlock: boolean;
}

function* inspectDefinitions(value: unknown, check: ListCheck): Steps<void> {
  const { path, findings, left, level, isInBlock } = check;
  const max = level === 0 ? MAX_FIELDS : MAX_DEFINITIONS;
  // A block without fields is a divider, for example.
  const min = isInBlock ? 0 : 1;
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (!Array.isArray(value)) return findings.add(path, 'type', `${name} must be a list.`);
  if (value.length < min || value.length > max) {
    return findings.add(path, 'length', `${name} must have between ${min} and ${max} definitions.`);
  }
  const names = new Set<string>();
  for (const [index, definition] of value.entries()) {
    if (--left.definitions < 0) return reportTooMany(check);
    yield* new DefinitionCheck({ ...check, path: `${path}.${index}` }, names).run(definition);
    yield;
  }
}

/** Reports once that there are too many definitions. The others are not looked at. */
function reportTooMany({ findings, left, root }: ListCheck): void {
  if (left.definitions === -1)
    findings.add(root, 'length', `${root} must have at most ${MAX_DEFINITIONS} definitions in all.`);
}

/** Returns the patterns whose errors the check of the list needs. */
function patternsIn(value: unknown): string[] {
  const patterns = placedDefinitions(value).map(({ definition }) => definition['pattern']);
  const isShort = (pattern: unknown) => typeof pattern === 'string' && pattern.length <= MAX_PATTERN;
  return [...new Set(patterns.filter(isShort))] as string[];
}

class DefinitionCheck {
  private readonly kind: FieldKind;
  private readonly path: string;
  private readonly findings: Findings;
  /** The type of the definition, if it is known. */
  private typeName = '';

  constructor(
    private readonly list: ListCheck,
    private readonly names: Set<string>,
  ) {
    this.kind = list.kind;
    this.path = list.path;
    this.findings = list.findings;
  }

  *run(definition: unknown): Steps<void> {
    if (!isRecord(definition)) {
      this.findings.add(this.path, 'type', 'A field definition must be an object.');
      return;
    }
    const before = this.findings.errors.length;
    // A map, because an object may have keys such as `__proto__`.
    const attributes = new Map<string, unknown>(Object.entries(definition));
    this.checkName(attributes.get('name'));
    const type = this.checkType(attributes.get('type'));
    for (const [name, value] of attributes) this.checkAttribute(name, value, type);
    if (!type) return;
    for (const group of REQUIRED_ATTRIBUTES)
      if (type.constraints.includes(group[0])) this.checkGroup(group, attributes);
    this.checkBounds(attributes.get('min'), attributes.get('max'));
    if (type.parts) yield* this.checkInner(attributes);
    this.checkOnDelete(attributes);
    if (type.isListText && attributes.get('multiple') === true) this.checkSeparators(attributes.get('options'));
    // A default can be checked only against a definition that is otherwise valid.
    if (attributes.has('default') && this.findings.errors.length === before) {
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
    else if (type.parts && this.list.level >= MAX_LEVELS)
      this.fault('type', 'too_deep', `must not be ${name} inside ${MAX_LEVELS} levels of groups and blocks`);
    return type;
  }

  private checkAttribute(name: string, value: unknown, type: FieldType | undefined): void {
    const isRename = name === RENAMED_FROM && this.list.allowsRenames;
    const check = name === RENAMED_FROM && !isRename ? undefined : ATTRIBUTES.get(name);
    const isCommon = COMMON.has(name) || isRename;
    if (!check && !isCommon && !LISTS.has(name)) return this.unknownAttribute(name);
    if (type && !isCommon && !type.constraints.includes(name as Constraint)) {
      return this.fault(name, 'not_applicable', `does not apply to the type ${this.typeName}`);
    }
    if (name === 'default' && type?.isFile) {
      return this.fault(name, 'not_applicable', `does not apply to the type ${this.typeName}`);
    }
    if (this.list.level > 0 && ONLY_OUTSIDE.has(name)) {
      return this.fault(name, 'not_applicable', 'does not apply inside a group or a block');
    }
    const { findings, patternFaults } = this.list;
    check?.(value, { name, path: `${this.path}.${name}`, measures: type?.measures, findings, patternFaults });
  }

  private unsupported(name: string, known: readonly string[]): void {
    const hint = meantType(name, known) ?? suggestion(name, known);
    this.findings.add(`${this.path}.type`, 'unsupported', `type must be one of ${known.join(', ')}.${hint}`);
  }

  private unknownAttribute(name: string, noun = 'a field definition', known?: readonly string[]): void {
    const isEarly = this.findings.errors.length < MAX_HINTS;
    const names = ALL_ATTRIBUTES.filter((one) => one !== RENAMED_FROM || this.list.allowsRenames);
    const hint = isEarly ? suggestion(name, known ?? names) : '';
    const attribute = shorten(name);
    const message = `${attribute} is not an attribute of ${noun}.${hint}`;
    this.findings.add(`${this.path}.${attribute}`, 'unknown_property', message);
  }

  private checkGroup(
    [name, ...alternatives]: readonly [Constraint, ...Constraint[]],
    attributes: ReadonlyMap<string, unknown>,
  ): void {
    const sent = alternatives.filter((one) => attributes.has(one));
    if (attributes.has(name)) {
      for (const other of sent) this.fault(other, 'not_applicable', `must not be sent together with ${name}`);
    } else if (sent.length === 0) this.fault(name, 'required', 'is required for this type');
  }

  private checkBounds(min: unknown, max: unknown): void {
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      this.fault('min', 'format', 'must not be greater than max');
    }
  }

  /** Checks the definitions that the definition holds. */
  private *checkInner(attributes: ReadonlyMap<string, unknown>): Steps<void> {
    if (this.list.level >= MAX_LEVELS) return;
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

  private *checkBlock(block: unknown, names: Set<string>, inner: ListCheck): Steps<void> {
    const { path, findings } = inner;
    if (!isRecord(block)) return findings.add(path, 'type', 'A block must be an object.');
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

  private checkOnDelete(attributes: ReadonlyMap<string, unknown>): void {
    if (attributes.get('required') === true && attributes.get('on_delete') === 'clear') {
      this.fault('on_delete', 'not_applicable', 'must not be clear if the field is required');
    }
  }

  /** The values of such a list are joined by commas. */
  private checkSeparators(options: unknown): void {
    if (!Array.isArray(options)) return;
    for (const [index, option] of options.entries()) {
      if (typeof option !== 'string' || !option.includes(',')) continue;
      const message = `option ${index + 1} must not contain a comma, because the field is multiple.`;
      this.findings.add(`${this.path}.options.${index}`, 'format', message);
    }
  }

  private *checkDefault(definition: FieldDefinition, type: FieldType): Steps<void> {
    const value: unknown = definition.default;
    if (value === null) return this.fault('default', 'type', 'must be a valid value of the field');
    const check = new Check(definition, `${this.path}.default`, this.findings);
    yield* new CompiledField(definition, type, this.kind).inspectSteps(value, check);
  }

  private fault(attribute: string, code: ValueErrorCode, predicate: string): void {
    this.findings.add(`${this.path}.${attribute}`, code, `${attribute} ${predicate}.`);
  }
}
