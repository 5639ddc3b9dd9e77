import type { FieldDefinition } from '../../../api/content-types';
import type { DefinedField, PlanStep, TypeBody } from '../../../api/type-changes';
import { countedAs } from '../../../parts/numbers';
import { LANGUAGES } from '../languages';

export const CLASSES: Readonly<Record<PlanStep['class'], string>> = {
  safe: 'Safe',
  needs_data: 'Needs data',
  lossy: 'Hides values',
};

const DONE: Readonly<Record<PlanStep['op'], string>> = {
  add: 'is added',
  remove: 'is removed',
  rename: 'gets this name, and its values move to it',
  retype: 'gets another type, and its values are converted',
  tighten: 'accepts less than before',
  relax: 'accepts more than before',
  describe: 'is shown in another way',
};

/** What happens to the translations of a field. */
type Translation = 'begins' | 'ends';

const TRANSLATED: Readonly<Record<Translation, string>> = {
  begins: 'is translated from now on, and its values become those of the default language',
  ends: 'is not translated any more, and keeps the values of the default language',
};

/** Whether a field is translated after a change, and was not before, or the other way round. */
export function translationIn(
  before: readonly FieldDefinition[],
  after: readonly DefinedField[],
): (name: string) => Translation | undefined {
  return (name) => {
    const field = after.find((each) => each.name === name);
    if (!field) return undefined;
    const was = before.find((each) => each.name === (field.renamed_from ?? name))?.localized === true;
    const is = field.localized === true;
    return was === is ? undefined : is ? 'begins' : 'ends';
  };
}

/** `is removed` */
export function stepInWords({ op }: Pick<PlanStep, 'op'>, translation: Translation | undefined): string {
  return op === 'describe' && translation ? TRANSLATED[translation] : DONE[op];
}

/** The languages whose values are hidden have a step each, which are one for people: of the language with most entries. */
export function mergedSteps(steps: readonly PlanStep[]): readonly PlanStep[] {
  const merged = new Map<string, PlanStep>();
  for (const step of steps) {
    const key = `${step.op} ${step.field}`;
    const other = merged.get(key);
    const isWorse = !other || (step.class === 'lossy' && (other.class !== 'lossy' || step.entries > other.entries));
    if (isWorse) merged.set(key, step);
  }
  return [...merged.values()];
}

/** What the step means for the entries. Undefined if it does not concern any. */
export function entriesInWords(
  { class: kind, entries, failing }: PlanStep,
  translation: Translation | undefined,
): string | undefined {
  if (failing > 0) return `${countedAs(failing, 'entry', 'entries')} must be changed first:`;
  if (entries === 0) return undefined;
  const counted = countedAs(entries, 'entry', 'entries');
  if (kind !== 'lossy') return `${counted} ${entries === 1 ? 'has' : 'have'} a value.`;
  if (translation === 'ends') {
    return `The values in other languages, of ${counted} at least, are hidden. They come back when it is translated again.`;
  }
  return `The values of ${counted} are hidden. They come back when the field does.`;
}

/** What else changes than fields, as sentences. */
export function settingsInWords(body: TypeBody): readonly string[] {
  const { name, slug, public: isPublic, language, preview_url: preview } = body;
  const said: string[] = [];
  if (name !== undefined) said.push(`The content type is called ${name}.`);
  if (slug !== undefined) said.push(`Its slug is ${slug}. Programs that use the old one do not find it any more.`);
  if (isPublic !== undefined) {
    said.push(
      isPublic
        ? 'Everybody can read what is published, without a key.'
        : 'What is published can only be read with a key.',
    );
  }
  if (language !== undefined) {
    said.push(
      language === null
        ? 'It has no language.'
        : `Its language is ${LANGUAGES[language] ?? language}. All entries are read again.`,
    );
  }
  if (preview !== undefined)
    said.push(preview === null ? 'It has no preview.' : `Entries are previewed at ${preview}.`);
  return said;
}
