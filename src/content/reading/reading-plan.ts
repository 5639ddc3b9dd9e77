import { isStoredName } from '../../fields/localized/localized-names.js';
import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { isReference } from '../../fields/schema.js';
import { unknownField } from '../../fields/unknown-field.js';
import { targetsOf } from '../content-type.entity.js';
import type { CompiledType } from '../schemas.js';
import { MAX_INCLUDE_LEVELS, type ReadingRequest, tooManyLevels } from './reading-request.js';

/** A reference field of one content type that a plan follows. */
export interface Followed {
  typeId: string;
  /** The path of the field. */
  path: string;
  field: CompiledField;
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
  /** The paths of the media fields whose values are shown in full. */
  files?: Set<string>;
}

/** How `include` and `select` are carried out with one version of each content type. */
export interface ReadingPlan {
  /** The entries of the page. */
  root: PlanNode;
  hasInclude: boolean;
  /** Whether media values are shown in full. */
  showsFiles: boolean;
  /** Every content type that the plan relies on. */
  types: readonly CompiledType[];
}

/** Content types that a plan may rely on. */
const MAX_TYPES = 200;

/**
 * Looks up the names of a request. `find` returns a content type by ID if the caller may read its entries. `isFollowed` says of which locales
 * references are followed; undefined is the default locale. Throws a 400 (`unknown_field`) for a
 * name that is not a reference or media field (`include`) or not a field (`select`).
 */
export async function planReading(
  type: CompiledType,
  { include, select }: ReadingRequest,
  find: (typeId: string) => Promise<CompiledType | undefined>,
  isFollowed: (locale: string | undefined) => boolean = (locale) => locale === undefined,
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
  let showsFiles = false;
  for (const names of include ?? []) {
    let node = root;
    for (let [at, levels] = [0, 1]; at < names.length; levels++) {
      const isShown = showMedia(node, names.slice(at).join('.'));
      showsFiles ||= isShown;
      const path = referenceAt(node, names.slice(at));
      // In one block, a name may be that of a media field, and in another that of a reference.
      if (isShown && path === undefined) break;
      if (levels > MAX_INCLUDE_LEVELS) throw tooManyLevels();
      if (path === undefined) {
        if (names.length > MAX_INCLUDE_LEVELS && !hasGroups(node)) throw tooManyLevels();
        unknownReference('include', node, names, at);
      }
      node = followed(node, path) ?? (await follow(node, path, typeOf, isFollowed));
      at += path.split('.').length;
    }
  }
  if (select) root.select = new Set();
  for (const path of select ?? []) selectPath(root, path);
  return {
    root,
    hasInclude: include !== undefined,
    showsFiles,
    types: [...types.values()].filter((one) => one !== undefined),
  };
}

function followed(node: PlanNode, path: string): PlanNode | undefined {
  return node.follows.find((one) => one.path === path)?.to;
}

/** Shows the media fields of the place that have this path in full. Returns false if there is none. */
function showMedia(node: PlanNode, path: string): boolean {
  const isNamed = (field: CompiledField) => isMedia(field) && field.ownPath === path;
  if (!node.types.some(({ schema }) => schema.leafFields.some(isNamed))) return false;
  (node.files ??= new Set()).add(path);
  return true;
}

/** Follows the reference fields of the place that have this path: those of several content types, or of several blocks. */
async function follow(
  node: PlanNode,
  path: string,
  typeOf: (id: string) => Promise<CompiledType | undefined>,
  isFollowed: (locale: string | undefined) => boolean,
): Promise<PlanNode> {
  const fields = node.types.flatMap((type) =>
    referencesOf(type)
      .filter((field) => field.ownPath === path && (!isLocalized(type, field) || isFollowed(field.locale)))
      .map((field) => ({ type, field, ids: targetsOf(type.targets, field.key) })),
  );
  const readable = new Map<string, CompiledType>();
  for (const id of new Set(fields.flatMap(({ ids }) => ids))) {
    const type = await typeOf(id);
    if (type) readable.set(id, type);
  }
  const to: PlanNode = { types: [...readable.values()], follows: [] };
  for (const { type, field, ids } of fields) {
    const targets = ids.filter((id) => readable.has(id));
    node.follows.push({ typeId: type.id, path, field, targets, to });
  }
  return to;
}

/** Adds the last name of the path to what its place shows. */
function selectPath(root: PlanNode, names: readonly string[]): void {
  const name = names.at(-1) ?? '';
  let node = root;
  let at = 0;
  while (at < names.length - 1) {
    const path = referenceAt(node, names.slice(at, -1)) ?? unknownReference('select', node, names, at);
    const end = at + path.split('.').length;
    const next = followed(node, path);
    if (!next) {
      const needed = names.slice(0, end).join('.');
      throw Problem.parameter('select', `To select ${names.join('.')}, also send include=${needed}.`);
    }
    [node, at] = [next, end];
  }
  if (!node.types.some(({ schema }) => !isStoredName(name) && schema.field(name))) {
    const known = node.types.flatMap(({ schema }) => schema.ownFields.map((field) => field.name));
    throw unknownField('select', names.join('.'), pathsBelow(names.slice(0, at), known));
  }
  (node.select ??= new Set()).add(name);
}

/** Returns the path of the reference field of the place that the names begin with. */
function referenceAt(node: PlanNode, names: readonly string[]): string | undefined {
  const known = new Set(node.types.flatMap(referencesOf).map(({ ownPath }) => ownPath));
  const paths = names.map((_, index) => names.slice(0, index + 1).join('.'));
  return paths.find((path) => known.has(path));
}

/** 400 for names from `at` on that lead to no reference field of the place, nor (`include`) to a media field. */
function unknownReference(parameter: string, node: PlanNode, names: readonly string[], at: number): never {
  const canBeMedia = parameter === 'include';
  const fields = node.types.flatMap(({ schema }) =>
    schema.leafFields.filter((field) => isReference(field) || (canBeMedia && isMedia(field))),
  );
  const known = fields.map(({ ownPath }) => ownPath);
  const isGroup = (path: string) => known.some((one) => one.startsWith(`${path}.`));
  const end = names.findIndex((_, index) => index >= at && !isGroup(names.slice(at, index + 1).join('.')));
  const wrong = names.slice(0, end < 0 ? names.length : end + 1).join('.');
  const noun = canBeMedia ? 'reference or media field' : 'reference field';
  throw unknownField(parameter, wrong, pathsBelow(names.slice(0, at), known), noun);
}

/** Whether reference fields of the place are inside groups or blocks, so that a path may have more names than levels. */
function hasGroups(node: PlanNode): boolean {
  return node.types.flatMap(referencesOf).some(({ name, path }) => name !== path);
}

/** Whether there is one for each locale. */
function isLocalized({ schema }: CompiledType, { ownPath }: CompiledField): boolean {
  return schema.localized.has(ownPath.split('.')[0] ?? '');
}

function isMedia({ definition }: CompiledField): boolean {
  return definition.type === 'media';
}

function referencesOf({ schema }: CompiledType): readonly CompiledField[] {
  return schema.leafFields.filter(isReference);
}

function pathsBelow(before: readonly string[], paths: readonly string[]): string[] {
  return [...new Set(paths)].map((path) => [...before, path].join('.'));
}
