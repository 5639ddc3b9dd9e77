import type { SlicedWork } from '../../admission/sliced-work.js';
import { targetsOf } from '../../content/content-type.entity.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { ContractForm } from '../contract-files.js';
import type { Contracted, ContractedForm, ContractedType } from '../contracted.js';
import { chainOf, codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import { typeProperty, valueInterfaces } from './content-type.js';
import { HELPER_TYPES, RESERVED } from './helper-types.js';
import { comment, indented, literal, typeMember, union } from './text.js';
import { NamesInFile, type InterfaceNames } from './type-names.js';
import { braced, properties, type TargetsOf } from './value-types.js';

/** The contract as TypeScript: what `@trivet/client` takes as its schema. It contains nothing but types, and imports nothing. */
export const TYPESCRIPT: ContractForm = {
  name: 'typescript',
  mediaType: 'text/typescript; charset=utf-8',
  write: (contracted) => typescriptFile(contracted),
};

const NO_TARGETS: TargetsOf = () => [];

export function* typescriptFile({ tenantId, types, forms, locales }: Contracted): SlicedWork<string> {
  const names = new NamesInFile(RESERVED);
  const slugs = new Map(types.map(({ id, slug }) => [id, slug]));
  const written: { values: string[]; types: string[]; forms: string[] } = { values: [], types: [], forms: [] };
  for (const type of types) {
    const [own, targets] = [names.ofContentType(type.slug), targetsIn(type, slugs)];
    written.values.push(valueInterfaces(type, own, targets));
    written.types.push(typeProperty(type, own, targets));
    yield;
  }
  for (const form of forms) {
    const own = names.ofForm(form.slug);
    written.values.push(submissionInterface(form, own));
    written.forms.push(`${comment(form.name)}${literal(form.slug)}: ${own.values};\n`);
    yield;
  }
  return `${heading(tenantId)}
${[HELPER_TYPES, ...written.values].join('\n\n').replace(/\n{3,}/g, '\n\n')}
${SCHEMA_HEAD}
${indented(`types: ${braced(written.types.join(''))};\nforms: ${braced(written.forms.join(''))};\n${locales ? localesProperty(locales) : ''}`)}}
`;
}

const SCHEMA_HEAD =
  '/** The content types and forms of the tenant: `createClient<Schema>(...)`. */\nexport interface Schema {';

function heading(tenantId: string): string {
  return `/* eslint-disable */
/*
 * The content types and forms of the tenant ${tenantId}, for @trivet/client. Do not change this file: Trivet writes it
 * (GET /v1/contract/${tenantId}/types.ts).
 */
`;
}

/** A reference names its content types by their IDs. Those that the contract does not have are left out. */
function targetsIn({ targets }: ContractedType, slugs: ReadonlyMap<string, string>): TargetsOf {
  return ({ key }: CompiledField) => targetsOf(targets, key).flatMap((id) => slugs.get(id) ?? []);
}

function submissionInterface({ name, schema }: ContractedForm, { values }: InterfaceNames): string {
  const inner = properties(schema.fields, 'written', NO_TARGETS);
  return `${comment(name, 'What a submission of this form takes.')}export interface ${values} ${braced(inner)}\n`;
}

/** The codes of the locales, in an order that stays when they are listed in another one. */
function localesProperty(settings: LocaleSettings): string {
  const codes = codesOf(settings).sort();
  const completed = codes.filter((code) => chainOf(settings, code).includes(settings.default));
  const parts = [
    typeMember('codes', union(codes.map(literal))),
    typeMember('default', literal(settings.default)),
    comment('Those whose fallbacks end at the default locale.'),
    typeMember('completed', union(completed.map(literal))),
  ];
  return `/** The locales of the tenant. */\nlocales: ${braced(parts.join(''))};\n`;
}
