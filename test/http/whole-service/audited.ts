import { operationOf, type Operation } from '../../support/api.js';
import type { TestApp, TestTenant } from '../../support/app.js';
import { scenariosOf } from '../../support/extensions.js';
import type { Call } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { played } from './played.js';

/** The records that each operation leaves in the audit log, as `type action`. Every operation of Trivet that writes is listed. */
const RECORDED: Record<string, readonly string[]> = {
  'post /v1/content/{tenant_id}/types': ['content_type created'],
  'put /v1/content/{tenant_id}/types/{content_type_id}': ['content_type updated'],
  'delete /v1/content/{tenant_id}/types/{content_type_id}': ['content_type deleted', 'entry deleted', 'entry updated'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries': ['entry created'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/import': ['entry created'],
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': ['entry updated', 'entry published'],
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': ['entry deleted', 'entry updated'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/restore': [
    'entry restored',
    'entry draft_saved',
  ],
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': ['entry draft_saved'],
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': ['entry draft_discarded'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/publish': ['entry published'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/apply': ['entry updated'],
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': ['entry review_requested'],
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': ['entry review_taken_back'],
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': [
    'entry preview_link_created',
  ],
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': [
    'entry preview_links_ended',
  ],
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': ['entry scheduled'],
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': ['entry unscheduled'],
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales/{code}': ['entry updated'],
  'put /v1/locales/{tenant_id}': ['locales updated', 'content_type updated'],
  'delete /v1/locales/{tenant_id}/{code}': ['locales purged'],
  'post /v1/content/{tenant_id}/bulk': [
    'entry created',
    'entry updated',
    'entry published',
    'entry unpublished',
    'entry deleted',
  ],
  'post /v1/forms/{tenant_id}': ['form created'],
  'patch /v1/forms/{tenant_id}/{form_id}': ['form updated'],
  'delete /v1/forms/{tenant_id}/{form_id}': ['form deleted'],
  'post /v1/forms/{tenant_id}/erasures': ['erasure requested'],
  'patch /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}': ['submission updated'],
  'delete /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}': ['submission deleted'],
  'post /v1/forms/{tenant_id}/{form_id}/submissions/delete': ['submission deleted'],
  'post /v1/forms/{tenant_id}/{form_id}/submissions/import': ['form imported'],
  'post /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/release': ['submission released'],
  'post /v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/mark-spam': ['submission marked_spam'],
  'post /v1/media/{tenant_id}': ['media uploaded'],
  'patch /v1/media/{tenant_id}/{media_id}': ['media updated'],
  'delete /v1/media/{tenant_id}/{media_id}': ['media deleted'],
  'post /v1/webhooks/{tenant_id}': ['webhook created'],
  'patch /v1/webhooks/{tenant_id}/{webhook_id}': ['webhook updated'],
  'delete /v1/webhooks/{tenant_id}/{webhook_id}': ['webhook deleted'],
  'post /v1/webhooks/{tenant_id}/{webhook_id}/deliveries/{delivery_id}/redeliver': ['webhook redelivered'],
  'post /v1/webhooks/{tenant_id}/{webhook_id}/redeliver': ['webhook redelivered'],
  'post /v1/webhooks/{tenant_id}/{webhook_id}/test': ['webhook tested'],
  'post /v1/webhooks/{tenant_id}/{webhook_id}/replay': ['webhook replayed'],
  'post /v1/keys/{tenant_id}': ['key created'],
  'post /v1/keys/{tenant_id}/{key_id}/adopt': ['key adopted'],
  'post /v1/keys/{tenant_id}/sign-in-links': ['key sign_in_link_created'],
  'post /v1/schema/{tenant_id}/apply': ['content_type created', 'form created', 'webhook created', 'webhook updated'],
  'delete /v1/keys/{tenant_id}/{key_id}': ['key revoked'],
  'post /v1/roles/{tenant_id}': ['role created'],
  'patch /v1/roles/{tenant_id}/{role_id}': ['role updated'],
  'delete /v1/roles/{tenant_id}/{role_id}': ['role deleted'],
  'post /v1/users/{tenant_id}': ['member created'],
  'patch /v1/users/{tenant_id}/{user_id}': ['member updated'],
  'delete /v1/users/{tenant_id}/{user_id}': ['member deleted'],
  'post /v1/users/{tenant_id}/{user_id}/invite': ['member invited'],
  'post /v1/invitations/{invitation_token}': ['member joined'],
};

/** Operations that are no GET and leave no record, each with the reason. */
const NOT_RECORDED: Record<string, string> = {
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence':
    'Presence changes nothing of the entry and is forgotten after half a minute.',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence':
    'Presence changes nothing of the entry and is forgotten after half a minute.',
  'post /v1/schema/{tenant_id}/plan': 'It changes nothing.',
  'post /v1/forms/{tenant_id}/{form_id}/submissions':
    'Visitors submit without a key. The submission is its own record.',
  // The audit log is that of a tenant: what people do to their own accounts is not in it.
  'post /v1/sessions': 'It concerns no tenant.',
  'post /v1/sessions/options': 'It changes nothing.',
  'delete /v1/sessions/current': 'It concerns no tenant.',
  'patch /v1/me': 'It concerns no tenant.',
  'delete /v1/me/sessions/{session_id}': 'It concerns no tenant.',
  'post /v1/me/passkeys': 'It concerns no tenant.',
  'post /v1/me/passkeys/options': 'It changes nothing.',
  'delete /v1/me/passkeys/{passkey_id}': 'It concerns no tenant.',
  'post /v1/password-resets': 'It concerns no tenant.',
  'post /v1/password-resets/{token}': 'It concerns no tenant.',
  'post /v1/invitations/{invitation_token}/options': 'It changes nothing.',
};

interface Recorded {
  requestId: string;
  type: string;
  action: string;
  resourceId: string;
  actorName: string;
}

describe('every operation that changes something', () => {
  let operations: Operation[];
  let calls: Call[];
  let records: Map<string, Recorded[]>;
  beforeAll(async () => {
    const { app, mine } = played;
    operations = played.operations;
    for (const { notAudited } of await scenariosOf(app)) Object.assign(NOT_RECORDED, notAudited);
    calls = [...mine.calls, await redeliverFailed(app, mine.tenant, mine.resources['webhook_id'] ?? '')];
    records = await recordsOf(app, mine.tenant);
  });

  const titleOf = ({ method, path }: Operation) => `${method} ${path}`;
  const isWrite = ({ method }: Operation) => method !== 'get';
  const of = (operation: Operation) =>
    calls.filter(({ method, path }) => operationOf(operations, method, path) === operation);
  const labelOf = ({ type, action }: Recorded) => `${type} ${action}`;

  it('is listed with its records, or with the reason why it has none', () => {
    const titles = operations.map(titleOf);
    // Those of extensions need no line.
    const own = operations
      .filter(isWrite)
      .filter(({ path }) => /^\/v1\/(content|forms|media|webhooks|keys|roles|users|schema)\//.test(path));
    const unknown = own.map(titleOf).filter((title) => !(title in RECORDED) && !(title in NOT_RECORDED));
    expect(unknown.map((title) => `Say in RECORDED which records ${title} leaves.`)).toEqual([]);
    expect([...Object.keys(RECORDED), ...Object.keys(NOT_RECORDED)].filter((one) => !titles.includes(one))).toEqual([]);
  });

  it('leaves records of the request with the action, the resource and the key', () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(isWrite)) {
      const title = titleOf(operation);
      if (title in NOT_RECORDED) continue;
      const succeeded = of(operation).filter(({ status }) => status < 300);
      const left = succeeded.flatMap(({ requestId }) => records.get(requestId) ?? []);
      if (left.length === 0) {
        wrong.push(
          `${title} leaves no record. Call recordChanges in its transaction, or recordChange in its statement. If no request of the scenario succeeds, add one. If it changes nothing that anybody asks about, list it in NOT_RECORDED with the reason (an extension: in notAudited of its <name>.scenario.ts).`,
        );
      }
      const allowed = RECORDED[title];
      const other = left.map(labelOf).filter((label) => allowed && !allowed.includes(label));
      if (other.length > 0) wrong.push(`${title} leaves ${[...new Set(other)].join(', ')}.`);
      const missing = (allowed ?? []).filter((label) => !left.some((one) => labelOf(one) === label));
      if (missing.length > 0) wrong.push(`${title} leaves no record ${missing.join(', ')}.`);
    }
    expect(wrong).toEqual([]);
  });

  it('names the resource that it answers', () => {
    const wrong = calls.flatMap(({ method, status, body, requestId, path }) => {
      const { id } = (body as { data?: { id?: string } } | undefined)?.data ?? {};
      const left = records.get(requestId) ?? [];
      // Who accepts an invitation gets a session.
      const isSession = path.startsWith('/v1/invitations/');
      if (method !== 'post' || status !== 201 || id === undefined || left.length === 0 || isSession) return [];
      return left.some(({ resourceId }) => resourceId === id) ? [] : [`${path}: ${id}`];
    });
    expect(wrong).toEqual([]);
  });

  it('leaves none if it is refused, and none if it has no effect', () => {
    const isRead = ({ method }: Call) => method === 'get';
    const wrong = calls.filter(
      (call) =>
        (isRead(call) || call.status >= 300 || call.path.includes('dry_run=true')) && records.has(call.requestId),
    );
    expect(wrong.map(({ method, path, status }) => `${method} ${path} (${status}) left a record.`)).toEqual([]);
    const none = operations.filter((operation) => titleOf(operation) in NOT_RECORDED);
    expect(none.flatMap(of).filter(({ requestId }) => records.has(requestId))).toEqual([]);
  });

  it('is the only source of records', () => {
    const known = new Set(calls.map(({ requestId }) => requestId));
    expect([...records.keys()].filter((requestId) => !known.has(requestId))).toEqual([]);
  });
});

/** Makes a delivery a failed one and sends the failed ones again, because the scenario does not last until one has failed. */
async function redeliverFailed(app: TestApp, tenant: TestTenant, webhook: string): Promise<Call> {
  const path = `/v1/webhooks/${tenant.id}/${webhook}`;
  await until(async () => {
    const failed = await app.database.query(
      `UPDATE deliveries d SET status = 'failed', finished_at = now(), next_attempt_at = NULL
        WHERE tenant_id = $1 AND status = 'pending' AND event_type = 'webhook.test' RETURNING 1`,
      [tenant.id],
    );
    return failed.length > 0;
  });
  const { status, body, headers } = await tenant.http.post(`${path}/redeliver`, { since: '2026-01-01T00:00:00Z' });
  const requestId = headers['x-request-id'] ?? '';
  return {
    method: 'post',
    path: `${path}/redeliver`,
    status,
    contentType: 'application/json',
    body: body as unknown,
    requestId,
  };
}

/** The records of a tenant, by their requests. */
async function recordsOf(app: TestApp, { id }: TestTenant): Promise<Map<string, Recorded[]>> {
  const rows = await app.database.query<Recorded>(
    `SELECT request_id AS "requestId", resource_type AS type, action, resource_id AS "resourceId", actor_name AS "actorName"
      FROM audit_records WHERE tenant_id = $1`,
    [id],
  );
  const byRequest = new Map<string, Recorded[]>();
  for (const row of rows) byRequest.set(row.requestId, [...(byRequest.get(row.requestId) ?? []), row]);
  return byRequest;
}
