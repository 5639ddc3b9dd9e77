import { type DraftField, labelOfField } from '../model/draft';

/** Returns what people call the field at a path of a plan (`seo.title`), which may be a removed one. */
export function labelIn(fields: readonly DraftField[], removed: readonly DraftField[]): (path: string) => string {
  return (path) => {
    const steps = path.split('.');
    return labelsAt(steps, fields) ?? labelsAt(steps, removed) ?? path;
  };
}

function labelsAt([name, ...inside]: readonly string[], fields: readonly DraftField[]): string | undefined {
  const field = fields.find(({ definition }) => definition.name === name);
  if (!field) return undefined;
  const label = labelOfField(field);
  if (inside.length === 0) return label;
  return field.blocks ? blockLabel(label, inside, field.blocks) : joined(label, labelsAt(inside, field.fields ?? []));
}

function blockLabel(
  label: string,
  [name, ...inside]: readonly string[],
  blocks: NonNullable<DraftField['blocks']>,
): string | undefined {
  const block = blocks.find((each) => each.name === name);
  if (!block) return undefined;
  const own = `${label} › ${block.label || block.name}`;
  return inside.length === 0 ? own : joined(own, labelsAt(inside, block.fields));
}

function joined(label: string, inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `${label} › ${inner}`;
}
