import { Injectable } from '@nestjs/common';
import { type ContentType, targetsOf } from '../content/content-type.entity.js';
import { ContentTypesService } from '../content/content-types.service.js';
import type { MadeTogether } from '../content/redefined-type.js';
import { LocalesService } from '../content/locales/locales.service.js';
import type { ChangeRow } from '../content/schema-changes/online/schema-changes.sql.js';
import { Problem } from '../errors/problem.js';
import { FormsService } from '../forms/forms.service.js';
import type { Caller } from '../http/caller.js';
import { versionEtag } from '../http/responses/etag.js';
import { presentOptions } from '../webhooks/options/webhook-options.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import {
  formCreation,
  formUpdate,
  type SentDocument,
  typeCreation,
  typeUpdate,
  webhookCreation,
  webhookUpdate,
} from './schema-bodies.js';
import type { SchemaDifference } from './schema-difference.js';
import { isSameValue } from './schema-document.js';
import { problemIn } from './schema-plans.service.js';

/** A document that takes longer is refused, and nothing is changed: its connection is one of the tenant's. */
const MAX_MS = 120_000;

/** A change of a large content type that goes on after the commit. */
export interface StartedChange {
  slug: string;
  change: ChangeRow;
}

interface Writing {
  caller: Caller;
  sent: SentDocument;
  difference: SchemaDifference;
  together: MadeTogether;
}

/** Writes what differs, by the services of the single requests, each with the version that was planned. */
@Injectable()
export class SchemaWriter {
  constructor(
    private readonly types: ContentTypesService,
    private readonly locales: LocalesService,
    private readonly forms: FormsService,
    private readonly webhooks: WebhooksService,
  ) {}

  /** The order: what others need comes first, and what others no longer name is deleted last. */
  async write(writing: Writing): Promise<StartedChange[]> {
    const deadline = Date.now() + MAX_MS;
    const { caller } = writing;
    const settings = await this.writeLocales(writing);
    const started: StartedChange[] = [];
    for (const write of this.writesOfTypes(writing, started)) {
      assertInTime(deadline);
      await write();
    }
    // Those that were updated have followed already.
    const changing = new Set(started.map(({ change }) => change.typeId));
    if (settings) await this.locales.follow(caller, changing);
    for (const write of [...this.writesOfOthers(writing), ...this.deletions(writing)]) {
      assertInTime(deadline);
      await write();
    }
    return started;
  }

  private async writeLocales({ caller, sent, difference }: Writing) {
    if (!difference.locales) return undefined;
    const { is, wanted } = difference.locales;
    const dto = { default: wanted.default, locales: wanted.locales };
    const now = await this.locales.get(caller);
    const isPlanned = isSameValue(is, { default: now.default, locales: now.locales });
    if (!isPlanned) throw new Problem('precondition_failed', 'The locales have changed.');
    return this.locales.replace(caller, { ...sent, dto, errors: [] }, [versionEtag(now.revision)]);
  }

  /** In the order of their IDs, in which other requests lock several content types. */
  private *writesOfTypes(
    { caller, sent, difference, together }: Writing,
    started: StartedChange[],
  ): Generator<() => Promise<void>> {
    const created: ContentType[] = [];
    for (const change of difference.types.filter(({ before }) => !before))
      yield () =>
        inItem(change, change.wanted.slug, async () => {
          created.push(await this.types.create(caller, typeCreation(change, sent), change.id, together));
        });
    // A content type that was created earlier may name a later one.
    for (const type of created) yield () => this.types.guardTargets(type);
    const updates = difference.types.filter(({ before }) => before).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const change of updates)
      yield () =>
        inItem(change, change.wanted.slug, async () => {
          const precondition = change.before && [versionEtag(change.before.revision)];
          const body = typeUpdate(change, sent);
          const updated = await this.types.update(caller, { id: change.id }, body, precondition, false, together);
          if ('change' in updated) started.push({ slug: change.wanted.slug, change: updated.change });
        });
  }

  private *writesOfOthers({ caller, sent, difference }: Writing): Generator<() => Promise<void>> {
    for (const change of difference.forms)
      yield () =>
        inItem(change, change.wanted.slug, async () => {
          const { before } = change;
          const precondition = before && [versionEtag(before.version)];
          if (before) await this.forms.update(caller, { id: before.id }, formUpdate(change, sent), precondition);
          else await this.forms.create(caller, formCreation(change, sent));
        });
    for (const change of difference.webhooks)
      yield () =>
        inItem(change, change.wanted.url, async () => {
          const { before } = change;
          if (before) await this.updateWebhook(caller, change, sent);
          else await this.createWebhook(caller, change, sent);
        });
  }

  private async createWebhook(
    caller: Caller,
    change: SchemaDifference['webhooks'][number],
    sent: SentDocument,
  ): Promise<void> {
    const { webhook } = await this.webhooks.create(caller, webhookCreation(change, sent));
    if (change.wanted.active !== false) return;
    const is = { ...change.wanted, active: undefined };
    await this.webhooks.update(caller, webhook.id, webhookUpdate({ ...change, is }, sent));
  }

  private async updateWebhook(
    caller: Caller,
    change: SchemaDifference['webhooks'][number],
    sent: SentDocument,
  ): Promise<void> {
    const { before } = change;
    await this.webhooks.update(caller, change.id, webhookUpdate(change, sent), (now) => {
      const shown = (webhook: typeof now) => [webhook.url, webhook.events, webhook.active, presentOptions(webhook)];
      const isPlanned = before && isSameValue(shown(before), shown(now));
      if (!isPlanned) throw new Problem('precondition_failed', 'The webhook has changed.');
    });
  }

  private *deletions({ caller, difference, together }: Writing): Generator<() => Promise<void>> {
    const { webhooks, forms, types } = difference.deleted;
    for (const { id } of webhooks) yield () => this.webhooks.delete(caller, id);
    for (const { id, version } of forms)
      yield () => this.forms.delete(caller, { id }, [versionEtag(version)], together);
    for (const { id, revision } of referrersFirst(types))
      yield () => this.types.delete(caller, { id }, [versionEtag(revision)], together);
  }
}

/** A content type whose references refuse the deletion of what they lead to is deleted before that. */
function referrersFirst(types: readonly ContentType[]): ContentType[] {
  const ordered: ContentType[] = [];
  let left = [...types];
  while (left.length > 0) {
    const named = new Set(
      left.flatMap(({ id, targets }) =>
        Object.keys(targets)
          .flatMap((key) => targetsOf(targets, key))
          .filter((to) => to !== id),
      ),
    );
    const free = left.filter(({ id }) => !named.has(id));
    // They refer to each other in a circle.
    if (free.length === 0) return [...ordered, ...left];
    ordered.push(...free);
    left = left.filter((type) => !free.includes(type));
  }
  return ordered;
}

async function inItem(change: { path: string }, name: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    throw problemIn(change.path, name, error);
  });
}

function assertInTime(deadline: number): void {
  if (Date.now() < deadline) return;
  throw Problem.unavailable('The schema takes too long to apply. Nothing was changed. Apply fewer changes at once.', 5);
}
