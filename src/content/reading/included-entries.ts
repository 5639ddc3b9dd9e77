import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import type { Reader } from '../../database/servers/replica-reads.js';
import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Caller } from '../../http/caller.js';
import { formatId } from '../../ids/type-id.js';
import { partOf, type ResponsePart } from '../../lists/streamed-list.js';
import { shownSliced, storedDraft } from '../drafts/draft-values.js';
import { PREVIEW_WORK } from '../drafts/previews.js';
import type { ShownJson, ShownLocales } from '../locales/shown-json.js';
import { presentEntry } from '../entries/entry-presenter.js';
import type { CompiledType } from '../schemas.js';
import { countsOf, foundEntries, type FoundEntry } from './found-entries.js';
import { type Selected, selectedFields } from './field-selection.js';
import {
  FIND_INCLUDED,
  FIND_INCLUDED_WITH_DRAFTS,
  INCLUDED_BY_IDS,
  INCLUDED_DRAFTS_BY_IDS,
  type IncludedRow,
  MAX_INCLUDED,
  MAX_READ,
} from './included.sql.js';
import type { Shape } from './shape.js';
import type { Followed, PlanNode, ReadingPlan } from './reading-plan.js';

/** Whether the page and the included entries are shown with their drafts. */
type IncludeMode = 'live' | 'preview' | 'preview link';

/** How the included entries are shown. */
export interface IncludedForm {
  mode: IncludeMode;
  shape: Shape;
  /** In which locales entries of a type are shown; undefined: in the default one. */
  localesIn?: (type: CompiledType) => ShownLocales;
}

/** A row, with its draft if drafts are shown and it has one. */
type DraftedRow = IncludedRow & { draft?: string | null; bases?: string | null };

const MAX_BYTES = 16 * 1024 * 1024;

/** An entry whose references are followed from a place of the plan. */
interface Source {
  place: PlanNode;
  typeId: string;
  id: string;
}

/** An entry that a response includes. */
interface Included {
  row: FoundEntry;
  /** The places in the plan that lead to it. */
  places: Set<PlanNode>;
}

/**
 * The entries that a page refers to, along the paths of `include`. Each level is one statement, which finds the references in the index of
 * values, and the entries that they name. Entries that are large, alone or together, are read while the response is sent.
 */
export class IncludedEntries {
  private readonly entries = new Map<string, Included>();
  private readonly types: ReadonlyMap<string, CompiledType>;
  private readonly onPage: ReadonlySet<string>;
  private bytes = 0;

  private constructor(
    private readonly reads: Reader,
    private readonly caller: Caller,
    private readonly plan: ReadingPlan,
    page: readonly { id: string }[],
    private readonly shown: IncludedForm,
  ) {
    this.onPage = new Set(page.map(({ id }) => id));
    this.types = new Map(plan.types.map((type) => [type.id, type]));
  }

  /** Returns undefined if a content type of the plan has changed. Throws a 400 if too much would be included. */
  static async read(
    reads: Reader,
    caller: Caller,
    plan: ReadingPlan,
    page: readonly { id: string }[],
    shown: IncludedForm,
  ): Promise<IncludedEntries | undefined> {
    const included = new IncludedEntries(reads, caller, plan, page, shown);
    return (await included.follow()) ? included : undefined;
  }

  /** What an ETag sees of the included entries. */
  get versions(): readonly (readonly [id: string, version: number])[] {
    return [...this.entries.values()].map(({ row }) => [row.id, row.version] as const);
  }

  /** Returns the members of `included` in the response, which need not be in memory together. */
  async part(): Promise<ResponsePart> {
    const { reads, caller } = this;
    const { tenantId, share } = caller;
    const showDrafts = this.shown.mode === 'preview';
    const small = await this.smallMembers();
    const rowOf = (id: string) => this.entries.get(id)?.row;
    const read = async (ids: readonly string[]): Promise<IncludedRow[]> => {
      const { publishedOnly } = this;
      const names = { ids, typeIds: ids.map((id) => rowOf(id)?.typeId ?? ''), publishedOnly };
      if (!showDrafts) return reads.query(tenantId, INCLUDED_BY_IDS, names, share);
      return this.withDrafts(await reads.query(tenantId, INCLUDED_DRAFTS_BY_IDS, names, share));
    };
    return partOf<IncludedRow>({
      records: [...this.entries.keys()].map((id) => small.get(id) ?? { id }),
      large: { sizes: (ids) => Promise.resolve(ids.map((id) => ({ id, bytes: rowOf(id)?.bytes ?? 0 }))), rows: read },
      present: async (row) => this.member(row, (await selectedFields(share, [this.shownOf(row)]))[0]),
      work: showDrafts ? PREVIEW_WORK : 0,
    });
  }

  /** Follows all paths at once, level by level. */
  private async follow(): Promise<boolean> {
    const { root } = this.plan;
    let sources: Source[] = [...this.onPage].flatMap((id) =>
      root.types.map((type) => ({ place: root, typeId: type.id, id })),
    );
    // The first statement also finds out whether the types are current, so it runs for an empty page too.
    let places = [root];
    while (places.some(({ follows }) => follows.length > 0)) {
      const follows = places.flatMap((place) => place.follows.map((followed) => ({ ...followed, place })));
      const rows = await this.find(sources, follows, places[0] === root);
      if (!rows) return false;
      const next: Source[] = [];
      for (const row of rows)
        for (const place of this.add(row, follows)) next.push({ place, typeId: row.typeId, id: row.id });
      sources = next.filter(({ place }) => place.follows.length > 0);
      if (sources.length === 0) return true;
      places = [...new Set(sources.map(({ place }) => place))];
    }
    return true;
  }

  /** Returns the entries of a level; undefined if a type is no longer current. */
  private async find(
    sources: readonly Source[],
    follows: readonly (Followed & { place: PlanNode })[],
    isFirst: boolean,
  ): Promise<FoundEntry[] | undefined> {
    const { reads, caller, plan } = this;
    const { mode, shape } = this.shown;
    const { tenantId, share } = caller;
    const places = new Map([...new Set(follows.map(({ place }) => place))].map((place, index) => [place, index]));
    const targets = follows.flatMap(({ targets: types }, index) => types.map((type) => ({ field: index + 1, type })));
    const level = {
      types: plan.types.map(({ id }) => id),
      versions: plan.types.map(({ version }) => version),
      sourcePlaces: sources.map(({ place }) => places.get(place) ?? -1),
      sourceTypes: sources.map(({ typeId }) => typeId),
      sourceIds: sources.map(({ id }) => id),
      places: follows.map(({ place }) => places.get(place) ?? -1),
      placeTypes: follows.map(({ typeId }) => typeId),
      fields: follows.map(({ field }) => field.filterField),
      targetFields: targets.map(({ field }) => field),
      targetTypes: targets.map(({ type }) => type),
      known: [...this.onPage, ...this.entries.keys()],
      publishedOnly: this.publishedOnly,
    };
    // A preview link shows only its own entry with the draft.
    const hasDrafts = mode === 'preview' || (mode === 'preview link' && isFirst);
    const drafted = {
      names: follows.map(({ field }) => rootOf(field)),
      jsonPaths: follows.map(({ field }) => field.jsonPath),
    };
    const rows = hasDrafts
      ? await reads.query(
          tenantId,
          FIND_INCLUDED_WITH_DRAFTS[shape],
          { ...level, ...drafted, showDrafts: mode === 'preview' },
          share,
        )
      : await reads.query(tenantId, FIND_INCLUDED[shape], level, share);
    const { isCurrent, references, lookUps } = countsOf(rows[0]);
    if (!isCurrent) return undefined;
    if (references > MAX_READ.references) throw tooMuch(`more than ${MAX_READ.references} references`);
    if (lookUps > MAX_READ.lookUps) throw tooMuch(`references to more than ${MAX_READ.lookUps} entries`);
    return foundEntries(rows);
  }

  /** Adds an entry unless it is on the page, and returns the places that it was found at. */
  private add(row: FoundEntry, follows: readonly Followed[]): Set<PlanNode> {
    const places = new Set(row.via.flatMap((number) => follows[number - 1]?.to ?? []));
    if (this.onPage.has(row.id)) return places;
    const earlier = this.entries.get(row.id);
    if (earlier) for (const place of places) earlier.places.add(place);
    else {
      this.entries.set(row.id, { row, places });
      this.bytes += row.bytes;
    }
    if (this.entries.size > MAX_INCLUDED) throw tooMuch(`more than ${MAX_INCLUDED} entries`);
    if (this.bytes > MAX_BYTES) throw tooMuch('more than 16 MiB of entries');
    return places;
  }

  /** The small entries as members of `included`. Releases their rows. */
  private async smallMembers(): Promise<Map<string, string>> {
    const small = [...this.entries.values()].flatMap(({ row }): DraftedRow[] => {
      const { fields } = row;
      return fields === null ? [] : [{ ...row, fields }];
    });
    const rows = await this.withDrafts(small);
    const selected = await selectedFields(
      this.caller.share,
      rows.map((row) => this.shownOf(row)),
    );
    return new Map(rows.map((row, index) => [row.id, this.member(row, selected[index])]));
  }

  /** Puts the drafts on top of the entries that have one. Many of them, or large ones, take turns with those of other tenants. */
  private async withDrafts(rows: readonly DraftedRow[]): Promise<IncludedRow[]> {
    const steps = this.draftSliced(rows);
    const size = rows.reduce((sum, { fields, draft }) => sum + (draft ? fields.length + draft.length : 0), 0);
    return heavyWork.runIf(isHeavy(size), this.caller.share, steps);
  }

  private *draftSliced(rows: readonly DraftedRow[]): SlicedWork<IncludedRow[]> {
    const shown: IncludedRow[] = [];
    for (const row of rows) {
      const type = this.types.get(row.typeId);
      const draft = storedDraft({ draft: row.draft ?? null, bases: row.bases ?? null });
      shown.push(type && draft ? { ...row, fields: (yield* shownSliced(type.schema, row.fields, draft)).fields } : row);
      yield;
    }
    return shown;
  }

  private shownOf({ id, typeId, fields }: IncludedRow): Selected {
    const places = [...(this.entries.get(id)?.places ?? [])];
    const paths = new Set(places.flatMap(({ files }) => [...(files ?? [])]));
    const type = this.types.get(typeId);
    const schema = type?.schema;
    return {
      fields,
      select: this.selectOf(id),
      ...(schema && paths.size > 0 && { files: { schema, paths } }),
      ...(type && { locales: this.shown.localesIn?.(type) }),
    };
  }

  /** Undefined if one of the paths that lead to the entry selects nothing. */
  private selectOf(id: string): ReadonlySet<string> | undefined {
    const names = new Set<string>();
    for (const { select } of this.entries.get(id)?.places ?? []) {
      if (!select) return undefined;
      for (const name of select) names.add(name);
    }
    return names;
  }

  private member(row: IncludedRow, shown?: ShownJson): string {
    return `"${formatId('ent', row.id)}":${presentEntry(row.typeId, { ...row, ...shown }, { shape: this.shown.shape })}`;
  }

  private get publishedOnly(): boolean {
    return this.caller.publishedOnly || this.shown.mode === 'preview link';
  }
}

/** The name of the field of the entry that the field is in. */
function rootOf({ path }: CompiledField): string {
  return path.split('.')[0] ?? path;
}

function tooMuch(what: string): Problem {
  return Problem.parameter('include', `include leads to ${what}. Ask for fewer: a smaller page or fewer paths.`);
}
