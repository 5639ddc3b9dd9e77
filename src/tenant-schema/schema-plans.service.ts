import { Injectable } from '@nestjs/common';
import { heavyWork } from '../admission/heavy-work.js';
import type { SlicedWork } from '../admission/sliced-work.js';
import { presentPlan } from '../content/content-type-presenter.js';
import type { ContentType } from '../content/content-type.entity.js';
import { ContentTypesService } from '../content/content-types.service.js';
import type { MadeTogether } from '../content/redefined-type.js';
import { CONTENT_TYPES } from '../content/content-usage.js';
import { EntryLocales } from '../content/locales/entry-locales.service.js';
import { LocalesService } from '../content/locales/locales.service.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { sentTypes } from '../fields/constraints/targets.js';
import { placedDefinitions } from '../fields/definitions/placed-definitions.js';
import { FormsService } from '../forms/forms.service.js';
import type { Caller } from '../http/caller.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { digestSliced } from '../json/json-digest.js';
import { stringifySliced } from '../json/stringify-sliced.js';
import { Limits } from '../tenants/limits.js';
import { WEBHOOKS } from '../webhooks/webhook-usage.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import {
  formCreation,
  formUpdate,
  type SentDocument,
  typeCreation,
  typeUpdate,
  webhookCreation,
} from './schema-bodies.js';
import { below, differenceOf, type SchemaDifference } from './schema-difference.js';
import type { PlanSchemaDto } from './schema-document.dto.js';
import type { DocumentLocales } from './schema-document.js';
import { assertMayReadSchema, schemaDocumentOf, SchemaState, type StoredSchema } from './schema-state.js';
import { losingStep, propertySteps, safeStep, type SchemaStep } from './schema-steps.js';

/** A plan that takes longer is given up. */
const MAX_MS = 300_000;

/** What leads from what a tenant has to a document. */
export interface SchemaPlan {
  steps: SchemaStep[];
  /** Differs if the tenant's schema or the request does. */
  hash: string;
}

/** The errors of items, collected so that all are answered together. */
class Faults {
  constructor(readonly errors: ValueError[]) {}

  /** Runs what is about an item. Its 422 is kept, and another problem names the item. */
  async in<Result>(path: string, name: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const problem = problemIn(path, name, error);
      if (!(problem instanceof Problem) || problem.code !== 'validation_failed') throw problem;
      this.errors.push(...(problem.errors ?? []));
      return undefined;
    }
  }
}

/** A problem of an item, with its place in the document. Anything else is returned as it is. */
export function problemIn(path: string, name: string, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { code, detail, errors, headers, members } = error;
  const at = errors?.map((one) => below(path, one));
  return new Problem(code, code === 'validation_failed' ? detail : `${name}: ${detail}`, at, headers, members);
}

/** Says what would become of a tenant's schema. */
@Injectable()
export class SchemaPlans {
  constructor(
    private readonly state: SchemaState,
    private readonly types: ContentTypesService,
    private readonly locales: LocalesService,
    private readonly entryLocales: EntryLocales,
    private readonly forms: FormsService,
    private readonly webhooks: WebhooksService,
    private readonly limits: Limits,
  ) {}

  /** The document of the tenant, as JSON. */
  async document(caller: Caller): Promise<string> {
    const stored = await this.state.read(caller);
    return heavyWork.run(caller.tenantId, jsonOf(stored));
  }

  /**
   * Changes and locks nothing. Throws a 422 with the errors of all items, and a 403 if a limit of the tenant would be exceeded. Stored values
   * that are in the way are counted in the steps.
   */
  async plan(caller: Caller, body: CheckedBody<PlanSchemaDto>): Promise<SchemaPlan & { difference: SchemaDifference }> {
    const { document, prune = false, allow_lossy: allowsLossy = false } = body.dto;
    assertMayReadSchema(caller);
    const faulty = faultyItems(body);
    const stored = await this.state.read(caller);
    const difference = await heavyWork.run(
      caller.tenantId,
      differenceOf(stored, document, { isPruned: prune, faulty }),
    );
    const steps = await this.stepsOf(caller, stored, difference, body, faulty);
    const hash = await heavyWork.run(caller.tenantId, hashOf(stored, { document, prune, allowsLossy }));
    return { steps, hash, difference };
  }

  private async stepsOf(
    caller: Caller,
    stored: StoredSchema,
    difference: SchemaDifference,
    sent: SentDocument,
    faulty: ReadonlySet<string>,
  ): Promise<SchemaStep[]> {
    const { tenantId } = caller;
    const { deleted } = difference;
    const faults = new Faults(sent.errors.filter(({ path }) => faulty.has(itemOf(path))));
    const deadline = Date.now() + MAX_MS;
    const together: MadeTogether = { types: difference.typeIds };
    const steps: SchemaStep[] = [];
    if (difference.locales) {
      const { wanted } = difference.locales;
      const dto = { default: wanted.default, locales: wanted.locales };
      const planned = await faults.in('document.locales', 'locales', () =>
        this.locales.plan(caller, { ...sent, dto, errors: [] }),
      );
      if (planned) together.locales = planned;
      steps.push(...(await this.localeSteps(caller, stored, difference.locales)));
    }
    await this.assertRoom(tenantId, difference);
    for (const change of difference.types) {
      if (Date.now() > deadline) throw Problem.unavailable('The plan takes too long. Change less at once.', 5);
      const { path, wanted } = change;
      const made = await faults.in(path, `content type ${wanted.slug}`, () =>
        this.typeSteps(caller, change, sent, together),
      );
      steps.push(...(made ?? []));
    }
    faults.errors.push(...deletedTargets(difference));
    for (const change of difference.forms) {
      const { path, wanted, before, is } = change;
      const of = { kind: 'form', item: wanted.slug } as const;
      await faults.in(path, `form ${wanted.slug}`, () => {
        if (before) this.forms.checkUpdate(caller, before, formUpdate(change, sent));
        else this.forms.newForm(caller, formCreation(change, sent));
      });
      if (!is) steps.push(safeStep({ ...of, op: 'create' }));
      else steps.push(...propertySteps(of, is, wanted, ['slug', 'name', 'fields', 'notify_email', 'settings']));
    }
    for (const change of difference.webhooks) {
      const { path, wanted, is } = change;
      const of = { kind: 'webhook', item: wanted.url } as const;
      await faults.in(path, `webhook ${wanted.url}`, () => this.checkWebhook(caller, change, difference, sent));
      if (!is) steps.push(safeStep({ ...of, op: 'create' }));
      else steps.push(...propertySteps(of, is, wanted, WEBHOOK_PROPERTIES));
    }
    if (faults.errors.length > 0) throw Problem.invalid(faults.errors);
    for (const webhook of deleted.webhooks)
      // Its secret and its deliveries are gone with it.
      steps.push({ ...safeStep({ kind: 'webhook', item: webhook.url, op: 'delete' }), class: 'lossy' });
    for (const form of deleted.forms) {
      const submissions = await this.forms.submissionCount(form);
      steps.push(losingStep({ kind: 'form', item: form.slug, op: 'delete' }, submissions));
    }
    for (const type of deleted.types) {
      const entries = await this.entryLocales.entriesOf(caller, type.id);
      steps.push(losingStep({ kind: 'content_type', item: type.slug, op: 'delete' }, entries));
    }
    return steps;
  }

  private async typeSteps(
    caller: Caller,
    change: SchemaDifference['types'][number],
    sent: SentDocument,
    together: MadeTogether,
  ): Promise<SchemaStep[]> {
    const { id, before, is, wanted } = change;
    const of = { kind: 'content_type', item: wanted.slug } as const;
    if (!before || !is) {
      await this.types.newType(caller, typeCreation(change, sent), id, together);
      return [safeStep({ ...of, op: 'create' })];
    }
    const plan = await this.types.plan(caller, { id }, typeUpdate(change, sent), undefined, together);
    const ofFields = presentPlan(caller, plan).steps.map((step): SchemaStep => ({ ...of, ...step }));
    const ofType = propertySteps(of, is, wanted, ['slug', 'name', 'public', 'language', 'preview_url']);
    const steps = [...ofType, ...ofFields];
    // For example another order of the fields.
    return steps.length > 0 ? steps : [safeStep({ ...of, op: 'describe', field: 'fields' })];
  }

  private async localeSteps(
    caller: Caller,
    { types }: StoredSchema,
    { is, wanted }: { is: DocumentLocales; wanted: DocumentLocales },
  ): Promise<SchemaStep[]> {
    const kind = 'locales' as const;
    const [before, after] = [is, wanted].map(({ locales }) => new Map(locales.map((one) => [one.code, one])));
    const steps: SchemaStep[] = [];
    if (is.default !== wanted.default)
      steps.push(safeStep({ kind, item: wanted.default, op: 'describe', field: 'default' }));
    for (const [code, locale] of after ?? []) {
      const was = before?.get(code);
      if (!was) steps.push(safeStep({ kind, item: code, op: 'add' }));
      else steps.push(...propertySteps({ kind, item: code }, was, locale, ['name', 'fallback']));
    }
    const removed = [...(before ?? [])].map(([code]) => code).filter((code) => !after?.has(code));
    for (const code of removed)
      steps.push(losingStep({ kind, item: code, op: 'remove' }, await this.entriesIn(caller, types, code)));
    // Only another order.
    return steps.length > 0 ? steps : [safeStep({ kind, item: wanted.default, op: 'describe' })];
  }

  /** How many entries have values in a locale. */
  private async entriesIn(caller: Caller, types: readonly ContentType[], code: string): Promise<number> {
    let entries = 0;
    for (const { id, locales } of types) {
      if (!locales) continue;
      const counts = (await this.entryLocales.ofType(caller, { id })).find((one) => one.code === code);
      if (counts) entries += (await this.entryLocales.entriesOf(caller, id)) - counts.missing;
    }
    return entries;
  }

  /** Content types and forms of the document may be created together with the webhook, so its filters cannot name them in the database yet. */
  private async checkWebhook(
    caller: Caller,
    change: SchemaDifference['webhooks'][number],
    { typeIds, forms }: SchemaDifference,
    sent: SentDocument,
  ): Promise<void> {
    const { dto, errors } = webhookCreation(change, sent);
    const created = new Set([...typeIds.keys(), ...forms.map(({ wanted }) => wanted.slug)]);
    const known = (names: string[] | undefined) => {
      const others = names?.filter((name) => !created.has(name));
      return others && others.length > 0 ? others : undefined;
    };
    const { content_types: types, forms: named, ...filters } = dto.filters ?? {};
    const rest = { ...filters, content_types: known(types), forms: known(named) };
    await this.webhooks.newWebhook(caller, { dto: { ...dto, ...(dto.filters && { filters: rest }) }, errors });
  }

  private async assertRoom(tenantId: string, { types, webhooks }: SchemaDifference): Promise<void> {
    for (const [resource, items] of [
      [CONTENT_TYPES, types],
      [WEBHOOKS, webhooks],
    ] as const) {
      const amount = (items as readonly { before?: unknown }[]).filter(({ before }) => !before).length;
      if (amount > 0) await this.limits.assertRoom({ tenantId, resource, amount });
    }
  }
}

const WEBHOOK_PROPERTIES = [
  'events',
  'active',
  'description',
  'filters',
  'payload',
  'ordered',
  'max_concurrency',
] as const;

/** The path of the item that an error is inside of; empty if there is none. */
function itemOf(path: string): string {
  return /^document\.(?:types|forms|webhooks)\.\d+(?=\.)/.exec(path)?.[0] ?? '';
}

/**
 * The paths of items with errors that no service corrects. An unknown type of a field may be one of before, whose extension is off. Throws a 422 if
 * the document itself has errors, or an item what it is known by.
 */
function faultyItems({ errors }: CheckedBody<PlanSchemaDto>): ReadonlySet<string> {
  const isKnownBy = (path: string) => /\.\d+\.(slug|renamed_from|url)$/.test(path);
  if (errors.some(({ path }) => itemOf(path) === '' || isKnownBy(path))) throw Problem.invalid(errors);
  const final = errors.filter(({ code, path }) => code !== 'unsupported' || !path.endsWith('.type'));
  return new Set(final.map(({ path }) => itemOf(path)));
}

/** Definitions of the document that name a content type which the push deletes. */
function deletedTargets({ types, deleted }: SchemaDifference): ValueError[] {
  const gone = new Set(deleted.types.map(({ slug }) => slug));
  if (gone.size === 0) return [];
  return types.flatMap(({ path, wanted }) =>
    placedDefinitions(wanted.fields).flatMap(({ definition, path: at }) =>
      sentTypes(definition, at)
        .filter(({ name }) => gone.has(name))
        .map((named) => ({
          path: `${path}.${named.path}`,
          code: 'reference' as const,
          message: `${named.name} is not in the document, and would be deleted.`,
        })),
    ),
  );
}

function* jsonOf(stored: StoredSchema): SlicedWork<string> {
  return yield* stringifySliced(yield* schemaDocumentOf(stored));
}

function* hashOf(stored: StoredSchema, request: object): SlicedWork<string> {
  return yield* digestSliced([yield* schemaDocumentOf(stored), request]);
}
