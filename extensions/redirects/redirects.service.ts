import { Injectable } from '@nestjs/common';
import { changedNames } from 'trivet/audit/changed-names.js';
import { recordChanges } from 'trivet/audit/record-changes.js';
import { Database } from 'trivet/database/database.js';
import type { Transaction } from 'trivet/database/transaction.js';
import type { TenantRepository } from 'trivet/database/tenant-repository.js';
import { violatedConstraint } from 'trivet/errors/database-problem.js';
import { Problem } from 'trivet/errors/problem.js';
import { EventRecorder } from 'trivet/events/event-recorder.js';
import type { Caller } from 'trivet/http/caller.js';
import { changedReadOnly } from 'trivet/http/bodies/read-only.js';
import { formatId, newUuid, timeOf } from 'trivet/ids/type-id.js';
import { newestFirst, newestFirstList } from 'trivet/lists/newest-first.js';
import { foreignCursor, isNumbered, type ListMeta, type Page } from 'trivet/lists/page.js';
import { presentRedirect, type RedirectRow } from './redirect-presenter.js';
import { Redirect } from './redirect.entity.js';
import type { CreateRedirectDto, UpdateRedirectDto } from './redirects.dto.js';

const LIST = newestFirstList({
  name: 'redirects',
  table: 'redirects',
  columns: {
    tenantId: 'tenant_id',
    source: 'source',
    target: 'target',
    status: 'status',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
});

interface Found {
  rows: RedirectRow[];
  meta: ListMeta;
}

@Injectable()
export class RedirectsService {
  private readonly redirects: TenantRepository<Redirect>;

  constructor(
    private readonly database: Database,
    private readonly events: EventRecorder,
  ) {
    this.redirects = database.repository(Redirect);
  }

  /** Returns a page of the redirects, or only the one of the path `source`. */
  async list({ tenantId }: Caller, page: Page, source?: string): Promise<Found> {
    if (source === undefined) return newestFirst<RedirectRow>(this.database, tenantId, page, LIST);
    const redirect = await this.redirects.findOne(tenantId, { source });
    return onlyPage(redirect ? [redirect] : [], page);
  }

  async get({ tenantId }: Caller, redirectId: string): Promise<Redirect> {
    return found(await this.redirects.findOne(tenantId, { id: redirectId }));
  }

  /** Throws a 409 if the path has a redirect already. */
  async create(caller: Caller, { source, target, status = 301 }: CreateRedirectDto): Promise<Redirect> {
    const { tenantId } = caller;
    const id = newUuid();
    const createdAt = timeOf(id);
    const redirect: Redirect = { tenantId, id, source, target, status, createdAt, updatedAt: createdAt };
    return this.change(tenantId, async (transaction) => {
      await transaction.repository(Redirect).insert(redirect);
      await this.record(transaction, caller, 'created', redirect);
      return redirect;
    });
  }

  /** Changes only the properties that were sent. Throws a 409 if the new path has a redirect already. */
  async update(caller: Caller, redirectId: string, dto: UpdateRedirectDto): Promise<Redirect> {
    const { tenantId } = caller;
    return this.change(tenantId, async (transaction) => {
      const before = await locked(transaction, tenantId, redirectId);
      const readOnly = changedReadOnly(dto, () => presentRedirect(before));
      if (readOnly.length > 0) throw Problem.invalid(readOnly);
      const { source, target, status } = before;
      const changes = { source, target, status, ...sent(dto), updatedAt: new Date() };
      await transaction.repository(Redirect).update(tenantId, { id: redirectId }, changes);
      const redirect = { tenantId, id: redirectId, createdAt: timeOf(redirectId), ...changes };
      await this.record(transaction, caller, 'updated', redirect, changedNames({ source, target, status }, sent(dto)));
      return redirect;
    });
  }

  async delete(caller: Caller, redirectId: string): Promise<void> {
    const { tenantId } = caller;
    await this.change(tenantId, async (transaction) => {
      const redirect = await locked(transaction, tenantId, redirectId);
      await transaction.repository(Redirect).delete(tenantId, { id: redirectId });
      await this.record(transaction, caller, 'deleted', redirect);
    });
  }

  /** Runs the change, with its event and its record in the audit log, in one transaction. */
  private async change<Result>(tenantId: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.transaction(tenantId, work);
    } catch (error) {
      if (violatedConstraint(error) !== 'redirects_source') throw error;
      const message = 'There is a redirect for this source already.';
      throw new Problem('conflict', message, [{ path: 'source', code: 'taken', message }]);
    }
  }

  private async record(
    transaction: Transaction,
    caller: Caller,
    action: 'created' | 'updated' | 'deleted',
    redirect: Redirect,
    changes: readonly string[] = [],
  ): Promise<void> {
    const { tenantId, id } = redirect;
    const data = JSON.stringify(presentRedirect(redirect));
    await this.events.record(transaction, tenantId, [{ type: `redirect.${action}`, data, at: new Date() }]);
    const resource = { type: 'redirect', id: formatId('rdr', id) };
    await recordChanges(transaction, tenantId, caller, [{ action, resource, changes }]);
  }
}

async function locked(transaction: Transaction, tenantId: string, redirectId: string): Promise<Redirect> {
  return found(await transaction.repository(Redirect).findOne(tenantId, { id: redirectId }, 'pessimistic_write'));
}

function found(redirect: Redirect | null): Redirect {
  if (!redirect) throw Problem.notFound('redirect');
  return redirect;
}

/** The page of a list that fits on one. */
function onlyPage(rows: RedirectRow[], page: Page): Found {
  const { perPage } = page;
  if (!isNumbered(page)) {
    if (page.cursor !== '') throw foreignCursor();
    return { rows, meta: { per_page: perPage, next_cursor: null } };
  }
  return { rows: page.page === 1 ? rows : [], meta: { page: page.page, per_page: perPage, total: rows.length } };
}

/** The properties of the body that were sent. */
function sent(dto: UpdateRedirectDto): Partial<UpdateRedirectDto> {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));
}
