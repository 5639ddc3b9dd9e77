import type { Entry } from '../../../api/entries';
import type { Draft } from '../../../api/entry';
import type { ContentType } from '../../../api/content-types';
import type { Difference } from '../../../api/entry-parts/history';
import { isSameValue } from '../model/values';
import { labelsOf } from './labels-of';
import { FieldChanges } from './show/field-changes';
import { VersionFrame } from './version-frame';

interface DraftItemProps {
  type: ContentType;
  differences: readonly Difference[];
  isOpen: boolean;
  onToggle: () => void;
}

/** What is saved in the draft, beside what the entry is. */
export function DraftItem({ type, differences, isOpen, onToggle }: DraftItemProps) {
  const names = differences.map(({ field }) => field);
  return (
    <VersionFrame
      name="Draft"
      about={
        <>
          Saved beside the entry: <bdi>{labelsOf(type, names)}</bdi>
        </>
      }
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <FieldChanges type={type} differences={differences} sides={['Entry', 'Draft']} />
    </VersionFrame>
  );
}

/** What publishing the draft would change, in the language of the form. */
export function draftDifferences(
  { fields: live }: Entry,
  draft: Draft | undefined,
  locale: string | undefined,
): readonly Difference[] {
  const values = draft?.fields;
  if (!values) return [];
  const names = [...new Set([...Object.keys(live), ...Object.keys(values)])];
  return names
    .filter((name) => !isSameValue(live[name], values[name]))
    .map((field) => ({ field, ...(locale !== undefined && { locale }), before: live[field], after: values[field] }));
}
