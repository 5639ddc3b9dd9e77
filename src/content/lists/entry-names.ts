import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { unknownField } from '../../fields/unknown-field.js';
import { targetsOf } from '../content-type.entity.js';
import type { CompiledType } from '../schemas.js';
import { allOf, anyOf, type Condition, constant } from '../../lists/conditions/condition.js';
import { type Filter, fieldCondition } from '../../lists/filters/filters.js';
import type { FilterNames, Named } from '../../lists/filters/resolve-filter.js';
import { COLUMN_NAMES, entryColumnNamed } from './entry-columns.js';
import { through } from './entry-conditions.js';
import type { ListedFields } from './listed-fields.js';
import { type FileBase, fileFilters } from './file-filters.js';

/** How the fields of a type are named. */
export type FieldsOf = (type: Pick<CompiledType, 'schema'>) => ListedFields;

type Referring = Pick<CompiledType, 'schema' | 'targets'>;

/** A name behind a reference (`author.name`): what it means in each content type that the reference may lead to and that the caller may read. */
interface ThroughName {
  reference: CompiledField;
  targets: readonly { type: CompiledType; named: Named | undefined }[];
}

/** Looks up the names of conditions (`title`, `created_at`, `author.name`) in a content type and in those that it refers to. */
export class EntryNames implements FilterNames {
  readonly rows = 'Entries';

  /**
   * `referred` has the content types referred to that the caller may read, by ID. An entry referred to must also meet `visible`, which says
   * what the caller may see of it.
   */
  constructor(
    private readonly type: Referring,
    /** The base of the URLs by which filters name files. */
    private readonly files: FileBase,
    private readonly referred: ReadonlyMap<string, CompiledType> = new Map(),
    private readonly visible: readonly Condition[] = [],
    private readonly fieldsOf: FieldsOf = ({ schema }) => schema,
  ) {}

  /**
   * Returns the condition that `make` builds for the field or column of this name. Behind a reference, it is built for each content type that
   * has the name, and holds for the entries of those to which it can apply. Throws a 400 (`unknown_field`) if there is no such name, and what
   * `make` throws if the condition can apply to no type.
   */
  condition(parameter: string, name: string, make: (named: Named) => Condition): Condition {
    const fields = this.fieldsOf(this.type);
    const named = namedIn(fields, name);
    if (named) return make(named);
    const behind = this.throughName(parameter, name);
    if (behind) return this.throughCondition(behind, make);
    throw unknownField(parameter, name, possibleNames(fields));
  }

  /** A media value is compared by its URL. */
  fieldCondition(field: CompiledField, filter: Filter): Condition {
    if (field.definition.type !== 'media') return fieldCondition(field, filter);
    return anyOf(fileFilters(filter, this.files).map((one) => fieldCondition(field, one)));
  }

  private throughName(parameter: string, name: string): ThroughName | undefined {
    const [reference, inner] = referenceIn(this.fieldsOf(this.type), name) ?? [];
    if (!reference || inner === undefined) return undefined;
    const types = targetsOf(this.type.targets, reference.key).flatMap((id) => this.referred.get(id) ?? []);
    const targets = types.map((type) => ({ type, named: namedIn(this.fieldsOf(type), inner) }));
    if (targets.some(({ named }) => named)) return { reference, targets };
    const known = new Set(types.flatMap((type) => possibleNames(this.fieldsOf(type))));
    throw unknownField(
      parameter,
      name,
      Array.from(known, (one) => `${reference.ownPath}.${one}`),
    );
  }

  private throughCondition({ reference, targets }: ThroughName, make: (named: Named) => Condition): Condition {
    const problems: Problem[] = [];
    const conditions = targets.map(({ named }) => (named ? madeBy(make, named, problems) : undefined));
    const [problem] = problems;
    if (problem && conditions.every((one) => one === undefined)) throw problem;
    return through(
      reference,
      targets.map(({ type: { id, version } }, index) => ({
        typeId: id,
        version,
        condition: allOf([conditions[index] ?? constant(false), ...this.visible]),
      })),
    );
  }
}

/** Returns undefined if the condition does not apply to the field, which may have another type than its namesake in another content type. */
function madeBy(make: (named: Named) => Condition, named: Named, problems: Problem[]): Condition | undefined {
  try {
    return make(named);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problems.push(error);
    return undefined;
  }
}

/** Returns the IDs of the content types that the names look at through a reference. */
export function typesBehind(type: Referring, names: readonly string[], fieldsOf: FieldsOf): string[] {
  const fields = fieldsOf(type);
  const dotted = names.filter((name) => !namedIn(fields, name));
  const ids = dotted.flatMap((name) => {
    const [reference] = referenceIn(fields, name) ?? [];
    return reference ? targetsOf(type.targets, reference.key) : [];
  });
  return [...new Set(ids)];
}

/** Splits `author.name` into the reference field and the name behind it. */
function referenceIn(fields: ListedFields, name: string): [reference: CompiledField, inner: string] | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const field = fields.fieldAt(name.slice(0, dot));
    if (field?.definition.type === 'reference') return [field, name.slice(dot + 1)];
  }
  return undefined;
}

function namedIn(fields: ListedFields, name: string): Named | undefined {
  const field = fields.fieldAt(name);
  if (field) return { field };
  const column = entryColumnNamed(name);
  return column && { column };
}

function possibleNames({ fieldsAtPaths }: ListedFields): string[] {
  return [...fieldsAtPaths.filter(({ filterable }) => filterable).map(({ path }) => path), ...COLUMN_NAMES];
}
