import { Problem } from '../../errors/problem.js';
import { unknownField } from '../../fields/unknown-field.js';
import { targetsOf } from '../content-type.entity.js';
import type { CompiledType } from '../schemas.js';
import type { ReadingRequest } from './reading-request.js';

/** A reference field of one content type that a plan follows. */
export interface Followed {
  typeId: string;
  name: string;
  /** The `field` of its rows in the value index. */
  field: string;
  /** The content types of the entries that it leads to, as far as the caller may read them. */
  targets: readonly string[];
  to: PlanNode;
}

/** A place in the paths of `include`: the page itself, or the entries that a path leads to. */
export interface PlanNode {
  types: readonly CompiledType[];
  follows: Followed[];
  /** The only fields that its entries show; undefined if they show all. */
  select?: Set<string>;
}

/** How `include` and `select` are carried out with one version of each content type. */
export interface ReadingPlan {
  /** The entries of the page. */
  root: PlanNode;
  hasInclude: boolean;
  /** Every content type that the plan relies on. */
  types: readonly CompiledType[];
}

/** Content types that a plan may rely on. */
const MAX_TYPES = 200;

/**
 * Looks up the names of a request. `find` returns a content type by ID if the caller may read its entries. Throws a 400 (`unknown_field`) for a
 * name that is not a reference field (`include`) or not a field (`select`).
 */
export async function planReading(
  type: CompiledType,
  { include, select }: ReadingRequest,
  find: (typeId: string) => Promise<CompiledType | undefined>,
): Promise<ReadingPlan> {
  const types = new Map<string, CompiledType | undefined>([[type.id, type]]);
  const typeOf = async (id: string) => {
    const found = types.has(id) ? types.get(id) : await find(id);
    types.set(id, found);
    if (types.size > MAX_TYPES) {
      throw Problem.parameter('include', `include leads to more than ${MAX_TYPES} content types. Ask for fewer paths.`);
    }
    return found;
  };
  const root: PlanNode = { types: [type], follows: [] };
  for (const path of include ?? []) {
    let node = root;
    for (const [index, name] of path.entries()) {
      node = followed(node, name) ?? (await follow(node, name, path.slice(0, index), typeOf));
    }
  }
  if (select) root.select = new Set();
  for (const path of select ?? []) selectPath(root, path);
  return { root, hasInclude: include !== undefined, types: [...types.values()].filter((one) => one !== undefined) };
}

function followed(node: PlanNode, name: string): PlanNode | undefined {
  return node.follows.find((one) => one.name === name)?.to;
}

async function follow(
  node: PlanNode,
  name: string,
  before: readonly string[],
  typeOf: (id: string) => Promise<CompiledType | undefined>,
): Promise<PlanNode> {
  const fields = node.types.flatMap((type) => {
    const field = referenceOf(type, name);
    return field ? [{ type, field, ids: targetsOf(type.targets, name) }] : [];
  });
  if (fields.length === 0) {
    throw unknownField(
      'include',
      pathOf(before, name),
      referencesOf(node).map((one) => pathOf(before, one)),
      REFERENCE,
    );
  }
  const readable = new Map<string, CompiledType>();
  for (const id of new Set(fields.flatMap(({ ids }) => ids))) {
    const type = await typeOf(id);
    if (type) readable.set(id, type);
  }
  const to: PlanNode = { types: [...readable.values()], follows: [] };
  for (const { type, field, ids } of fields) {
    const targets = ids.filter((id) => readable.has(id));
    node.follows.push({ typeId: type.id, name, field: field.filterField, targets, to });
  }
  return to;
}

const REFERENCE = 'reference field';

/** Adds the last name of the path to what its place shows. */
function selectPath(root: PlanNode, path: readonly string[]): void {
  const name = path.at(-1) ?? '';
  const before = path.slice(0, -1);
  let node = root;
  for (const [index, step] of before.entries()) {
    const next = followed(node, step);
    if (!next) {
      const known = referencesOf(node);
      const outer = before.slice(0, index);
      if (!known.includes(step)) {
        throw unknownField(
          'select',
          pathOf(outer, step),
          known.map((one) => pathOf(outer, one)),
          REFERENCE,
        );
      }
      const needed = before.slice(0, index + 1).join('.');
      throw Problem.parameter('select', `To select ${path.join('.')}, also send include=${needed}.`);
    }
    node = next;
  }
  if (!node.types.some(({ schema }) => schema.field(name))) {
    const known = node.types.flatMap(({ schema }) => schema.fields.map((field) => field.name));
    throw unknownField(
      'select',
      pathOf(before, name),
      [...new Set(known)].map((one) => pathOf(before, one)),
    );
  }
  (node.select ??= new Set()).add(name);
}

function referencesOf({ types }: PlanNode): string[] {
  const names = types.flatMap((type) =>
    type.schema.fields.flatMap(({ name }) => (referenceOf(type, name) ? [name] : [])),
  );
  return [...new Set(names)];
}

function referenceOf({ schema }: CompiledType, name: string) {
  const field = schema.field(name);
  return field?.definition.type === 'reference' ? field : undefined;
}

function pathOf(before: readonly string[], name: string): string {
  return [...before, name].join('.');
}
