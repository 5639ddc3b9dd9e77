import type { PlanStep, TypeBody } from '../../../api/type-changes';
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

/** `is removed` */
export function stepInWords({ op }: Pick<PlanStep, 'op'>): string {
  return DONE[op];
}

/** What the step means for the entries. Undefined if it does not concern any. */
export function entriesInWords({ class: kind, entries, failing }: PlanStep): string | undefined {
  if (failing > 0) return `${countedAs(failing, 'entry', 'entries')} must be changed first:`;
  if (entries === 0) return undefined;
  const counted = countedAs(entries, 'entry', 'entries');
  if (kind !== 'lossy') return `${counted} ${entries === 1 ? 'has' : 'have'} a value.`;
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
