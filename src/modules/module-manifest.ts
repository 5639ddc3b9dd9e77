import type { Config } from '../config/config.js';
import type { FieldKind } from '../fields/field-definition.js';
import type { FieldType } from '../fields/field-type.js';

/** A section of the API's document. Operations name it in `@ApiTags`. */
export interface Tag {
  readonly name: string;
  readonly description: string;
  /** The page of Trivet's guides that explains it: a path below `/guides/`. */
  readonly guide?: string;
}

/** The tables of a module: the entities, which describe them, and the migrations, which create and change them. */
export interface Tables {
  readonly entities: EntityClass[];
  readonly migrations: MigrationClass[];
  /** What is encrypted in the tables. `npm run reencrypt` and `npm run restore` find it here. */
  readonly encrypted?: readonly EncryptedTable[];
}

/** A table with a column `id` and encrypted columns. Each text was encrypted with the context `<tenant>/<id>`. */
export interface EncryptedTable {
  readonly table: string;
  /** Names a row for the operator: the prefix of public IDs. */
  readonly prefix: string;
  /** Columns with one encrypted text each. */
  readonly columns: readonly string[];
  /** Columns with a JSON list of `{secret, until}`, of which `secret` is encrypted. Nobody needs it after the time `until`. */
  readonly lists?: readonly string[];
}

export type FieldTypes = Readonly<Partial<Record<FieldKind, Readonly<Record<string, FieldType>>>>>;

type EntityClass = new () => object;

/** A type of event, from which its schema and its example in the API's documents are made. */
export interface EventDeclaration {
  /** One or two sentences: what happened. */
  readonly description: string;
  /** Loads the DTO of the event's `data`: that of the response of the get endpoint (of a submission: of the list). */
  readonly data: () => Promise<DataClass>;
  /** Properties of the example of `data` that differ from the examples of the DTO. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether the feed may have the event without its data, because this was deleted since. */
  readonly isErasable?: boolean;
}

/** A DTO whose properties have `@ApiProperty`. */
export type DataClass = new () => object;

/** A class whose name ends in the migration's timestamp (milliseconds). Migrations of all modules run in the order of these timestamps. */
export type MigrationClass = new () => { up(runner: never): Promise<unknown>; down(runner: never): Promise<unknown> };

/**
 * What a part of the service (of Trivet itself, or an extension) declares about itself, once. It is plain data, so that the configuration
 * can read the names before Nest and TypeORM are loaded. Functions load the code.
 */
interface TypedManifest<Area extends string, Prefix extends string, Event extends string> {
  /** The name of its folder. */
  readonly name: string;
  /** The first part of its scopes: `redirects` of `redirects:read`. A module without it has no endpoints that require a key. */
  readonly area?: Area;
  /** What a scope may allow in the area. The default is `read` and `write`; `read:published` is a part of `read`, `draft` of `write`. */
  readonly rights?: readonly string[];
  /** The prefixes of its public IDs, each with the noun of the resource. */
  readonly ids?: Readonly<Record<Prefix, string>>;
  /** The types of its events. A webhook subscribes to them with a key that may read the area. */
  readonly events?: Readonly<Record<Event, EventDeclaration>>;
  /** Its sections of the API's document, in their order. */
  readonly tags?: readonly Tag[];
  /** Loads its types of fields by their name, which are added to those of `src/fields`. */
  readonly fieldTypes?: () => Promise<FieldTypes>;
  /** Loads its tables. */
  readonly tables?: () => Promise<Tables>;
  /** Whether the configuration turns its Nest module on; by default it is always on. What the manifest declares besides exists in any case. */
  readonly isOn?: (config: Config) => boolean;
  /** Loads its Nest module. */
  readonly module: () => Promise<new (...parameters: never[]) => object>;
}

/**
 * Every module that is compiled, by its name. Each declaration adds itself, so that the compiler knows its area, prefixes and events:
 * `declare module '../modules/module.js' { interface DeclaredModules { redirects: typeof redirects } }`.
 */
export interface DeclaredModules {}

type Declared = DeclaredModules[keyof DeclaredModules];

/** The parts of the service that a scope can be limited to. */
export type Area = Exclude<Declared['area'], undefined>;

/** The prefixes of public IDs. The ID of a tenant is chosen by the admin and is not a TypeID. */
export type IdPrefix = PrefixOf<Declared>;

/** The types of the events that a webhook can subscribe to. */
export type EventType = TypeOf<Declared>;

type PrefixOf<R> = R extends ModuleManifest ? keyof NonNullable<R['ids']> : never;
type TypeOf<R> = R extends ModuleManifest ? keyof NonNullable<R['events']> : never;

export type ModuleManifest = TypedManifest<string, string, string>;

const defined = new WeakSet<object>();

/** Declares a module. Its file is `<name>.manifest.ts`, and must import neither Nest nor TypeORM. */
export function defineModule<
  const Area extends string = never,
  const Prefix extends string = never,
  const Event extends string = never,
>(manifest: TypedManifest<Area, Prefix, Event>): TypedManifest<Area, Prefix, Event> {
  defined.add(manifest);
  return manifest;
}

/** Whether the value was declared with `defineModule`. */
export function isManifest(value: unknown): value is ModuleManifest {
  return typeof value === 'object' && value !== null && defined.has(value);
}
