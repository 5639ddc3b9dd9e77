import { isRecord } from '../record.js';

/** Definitions of a content type or a form, those inside others included. */
export const MAX_DEFINITIONS = 300;
/** Groups and blocks inside each other. */
export const MAX_DEFINITION_LEVELS = 5;

/** A definition that may have errors, and where it is. */
export interface PlacedDefinition {
  definition: Readonly<Record<string, unknown>>;
  /** In the request: `fields.1.blocks.0.fields.2`. */
  path: string;
  /** The `key` of its field (see `CompiledField`). */
  key: string;
}

/** Lists the definitions of a request at all levels, as far as there are not too many. The value may have any shape. */
export function placedDefinitions(value: unknown): PlacedDefinition[] {
  const placed: PlacedDefinition[] = [];
  addDefinitions(placed, value, { path: 'fields', key: '', level: 0 });
  return placed;
}

function addDefinitions(
  placed: PlacedDefinition[],
  value: unknown,
  { path, key, level }: { path: string; key: string; level: number },
): void {
  if (!Array.isArray(value) || level > MAX_DEFINITION_LEVELS) return;
  for (const [index, definition] of (value as unknown[]).entries()) {
    if (placed.length >= MAX_DEFINITIONS) return;
    if (!isRecord(definition)) continue;
    const inner = { path: `${path}.${index}`, key: key + String(definition['name']), level: level + 1 };
    placed.push({ definition, ...inner });
    addDefinitions(placed, definition['fields'], { ...inner, path: `${inner.path}.fields`, key: `${inner.key}.` });
    const blocks = Array.isArray(definition['blocks']) ? (definition['blocks'] as unknown[]) : [];
    for (const [place, block] of blocks.slice(0, MAX_DEFINITIONS).entries()) {
      if (!isRecord(block)) continue;
      const below = { path: `${inner.path}.blocks.${place}.fields`, key: `${inner.key}.${String(block['name'])}.` };
      addDefinitions(placed, block['fields'], { ...inner, ...below });
    }
  }
}
