import { heavyWork } from '../admission/heavy-work.js';
import { runNow, type Steps } from '../admission/steps.js';
import { ValueError } from '../errors/problem.js';
import { suggestion } from '../errors/suggestion.js';
import { type AttributeCheck, ATTRIBUTES, MAX_PATTERN } from './attributes.js';
import { Findings } from './check.js';
import { CompiledField } from './compiled-field.js';
import { Constraint, FieldDefinition, FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { StepBudget } from './pattern.js';
import { findPatternFaults, matchDeferredPatterns } from './pattern-runner.js';
import { typesOf } from './registry.js';
import { shorten } from './text.js';

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

/** Attributes that every type has. */
const COMMON = new Set(['name', 'type', 'required', 'default', 'label', 'help']);

/** Attributes that are required by the types that have them. Exactly one of each group must be sent. */
export const REQUIRED_ATTRIBUTES: readonly (readonly [Constraint, ...Constraint[]])[] = [
  ['options'],
  ['content_type', 'content_types'],
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
  options: { path?: string; isHeavy?: boolean } = {},
): Promise<ValueError[]> {
  const effort = new StepBudget();
  const patternFaults = await findPatternFaults(key, patternsIn(value), effort);
  const findings = new Findings(effort);
  const steps = inspectDefinitions(value, { kind, path: options.path ?? 'fields', findings, patternFaults });
  if (options.isHeavy) await heavyWork.run(key, steps);
  else runNow(steps);
  await matchDeferredPatterns(key, findings);
  return findings.errors;
}

interface ListCheck {
  kind: FieldKind;
  path: string;
  findings: Findings;
  patternFaults: AttributeCheck['patternFaults'];
}

function* inspectDefinitions(value: unknown, check: ListCheck): Steps<void> {
  const { path, findings } = check;
  if (!Array.isArray(value)) findings.add(path, 'type', `${path} must be a list.`);
  else if (value.length < 1 || value.length > MAX_FIELDS) {
    findings.add(path, 'length', `${path} must have between 1 and ${MAX_FIELDS} definitions.`);
  } else {
    const names = new Set<string>();
    for (const [index, definition] of value.entries()) {
      new DefinitionCheck({ ...check, path: `${path}.${index}` }, names).run(definition);
      yield;
    }
  }
}

/** Returns the patterns whose errors the check of the list needs. */
function patternsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const patterns = (value as unknown[]).slice(0, MAX_FIELDS).map((definition) => {
    return (definition as Partial<Record<string, unknown>> | null | undefined)?.['pattern'];
  });
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

  run(definition: unknown): void {
    if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
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
    // A default can be checked only against a definition that is otherwise valid.
    if (attributes.has('default') && this.findings.errors.length === before) {
      this.checkDefault(definition as FieldDefinition, type);
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
    if (reserved.includes(name)) return this.fault('name', 'reserved', `must not be ${name}, which is reserved`);
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
    return type;
  }

  private checkAttribute(name: string, value: unknown, type: FieldType | undefined): void {
    const check = ATTRIBUTES.get(name);
    if (!check && !COMMON.has(name)) return this.unknownAttribute(name);
    if (type && !COMMON.has(name) && !type.constraints.includes(name as Constraint)) {
      return this.fault(name, 'not_applicable', `does not apply to the type ${this.typeName}`);
    }
    const { findings, patternFaults } = this.list;
    check?.(value, { name, path: `${this.path}.${name}`, measures: type?.measures, findings, patternFaults });
  }

  private unsupported(name: string, known: readonly string[]): void {
    const hint = meantType(name, known) ?? suggestion(name, known);
    this.findings.add(`${this.path}.type`, 'unsupported', `type must be one of ${known.join(', ')}.${hint}`);
  }

  private unknownAttribute(name: string): void {
    const isEarly = this.findings.errors.length < MAX_HINTS;
    const hint = isEarly ? suggestion(name, [...COMMON, ...ATTRIBUTES.keys()]) : '';
    const attribute = shorten(name);
    const message = `${attribute} is not an attribute of a field definition.${hint}`;
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

  private checkDefault(definition: FieldDefinition, type: FieldType): void {
    const path = `${this.path}.default`;
    const value: unknown = definition.default;
    if (value === null) return this.fault('default', 'type', 'must be a valid value of the field');
    new CompiledField(definition, type).inspect(value, this.findings, path);
  }

  private fault(attribute: string, code: string, predicate: string): void {
    this.findings.add(`${this.path}.${attribute}`, code, `${attribute} ${predicate}.`);
  }
}
