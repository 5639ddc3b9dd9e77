import type { Backlog, Failed, GivenUpKind, Kind, Waiting } from '../backlog/backlog.js';
import { escapeHtml } from '../fields/formats/escape-html.js';
import { htmlPage } from '../http/pages/html-page.js';
import type { RedisStatus } from './redis-status.js';

const REFRESH_SECONDS = 10;

const KINDS: Record<Kind, string> = {
  events: 'Events to relay',
  deliveries: 'Webhook deliveries',
  mails: 'Emails',
  letters: 'Emails to people',
  due: 'Scheduled jobs',
};

function isGivenUp(kind: Kind): kind is GivenUpKind {
  return kind === 'deliveries' || kind === 'mails' || kind === 'letters';
}

interface BacklogView {
  waiting: Awaited<ReturnType<Backlog['waiting']>>;
  failed: Awaited<ReturnType<Backlog['failed']>>;
  subscribers: Awaited<ReturnType<Backlog['subscribers']>>;
  /** The queues in Redis; `away` if Redis does not respond; undefined if no Redis is configured. */
  redis?: readonly RedisStatus[] | 'away';
  /** The path of Bull's own pages. */
  bullPath: string;
}

/** The page about the work that waits: the tables first, because Redis holds only jobs that wake workers. */
export function backlogPage(view: BacklogView): string {
  const body = `<h1>Background work</h1>
<p>Work waits in the database. Jobs in Redis only wake the workers, and are removed when they are done, so that there are rarely any.</p>
${summary(view)}
<p><small>Events to relay: not in the feed yet, and not passed to webhooks and mail. Emails to people: invitations, password resets and requests for reviews. Scheduled jobs: its time has come, such as that
of a schedule. Due: waits for a worker now. Failing: an attempt has failed, and another one will follow. Given up: there will be no further attempt; the retention deletes these records. Oldest: the age of the
oldest pending one. At most 100,000 pending rows and 1,000 given-up rows of a webhook or of a tenant’s emails are counted. The numbers are a
few seconds old.</small></p>
<h2>By tenant</h2>
${byTenant(view)}
${subscribers(view)}<h2>Redis</h2>
${redis(view)}`;
  return htmlPage('Background work – Trivet', body, REFRESH_SECONDS);
}

type Work = Partial<Waiting & Failed>;

const HEADINGS = ['Pending', 'Due', 'Failing', 'Given up', 'Oldest'];

function numbers({ pending = 0, due = 0, failing = 0, failed = 0, oldest }: Work): Cell[] {
  return [pending, due, failing, failed, age(oldest)].map((value) => ({ value, isNumber: true }));
}

function summary({ waiting, failed }: BacklogView): string {
  const kinds = Object.keys(KINDS) as Kind[];
  const rows = kinds.map((kind) => [
    { value: KINDS[kind] },
    ...numbers({ ...waiting[kind].all, ...(isGivenUp(kind) ? failed[kind].all : {}) }),
  ]);
  return table(['Work', ...HEADINGS], rows);
}

function byTenant({ waiting, failed }: BacklogView): string {
  const kinds = Object.keys(KINDS) as Kind[];
  const works = kinds.flatMap((kind) => {
    const ofTenant = new Map<string, Work>();
    for (const { tenantId, ...work } of waiting[kind].tenants) ofTenant.set(tenantId, work);
    const given = isGivenUp(kind) ? failed[kind].tenants : [];
    for (const { tenantId, ...work } of given) ofTenant.set(tenantId, { ...ofTenant.get(tenantId), ...work });
    return [...ofTenant].map(([tenantId, work]) => ({ tenantId, kind, work }));
  });
  if (works.length === 0) return '<p>No work is pending or was given up.</p>';
  const rows = works
    .sort((a, b) => oldestFirst(a.work.oldest, b.work.oldest))
    .map(({ tenantId, kind, work }) => [{ value: tenantId }, { value: KINDS[kind] }, ...numbers(work)]);
  const left = kinds.reduce((sum, kind) => sum + waiting[kind].tenantCount - waiting[kind].tenants.length, 0);
  return table(['Tenant', 'Work', ...HEADINGS], rows, captionOf(left));
}

/** Tells how many tenants a list lacks. */
function captionOf(left: number): string | undefined {
  return left > 0 ? `The oldest work first. ${left} more with newer work only.` : undefined;
}

/** Compares two times for sorting. A missing one comes last. */
function oldestFirst(a: Date | undefined, b: Date | undefined): number {
  const [first, second] = [a?.getTime() ?? Infinity, b?.getTime() ?? Infinity];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Returns nothing if there are no subscribers besides webhooks and mail. */
function subscribers({ subscribers: all }: BacklogView): string {
  if (all.length === 0) return '';
  const rows = all.map(({ name, all: { pending, oldest }, tenantCount, seen }) => [
    { value: name },
    ...[pending, tenantCount, age(oldest), seen ? ageOf(seen) : 'never'].map((value) => ({ value, isNumber: true })),
  ]);
  return `<h2>Subscribers</h2>
<p>Each of these subscribers has a position of its own in the feed of each tenant. Events are kept until it has passed them.</p>
${table(['Subscriber', 'Pending', 'Tenants', 'Oldest', 'Seen'], rows)}
<p><small>Pending: events that the subscriber has not passed, also those of types that it does not receive. At most 1,000,000 events of a
subscriber, divided by the number of tenants, and 1,000 more of each tenant are counted. Tenants: those with pending events. Seen: the time
since a worker had the subscriber. Workers report this every minute.</small></p>
${subscriberTenants(all)}`;
}

function subscriberTenants(subscribers: BacklogView['subscribers']): string {
  const rows = subscribers
    .flatMap(({ name, tenants }) => tenants.map((tenant) => ({ name, ...tenant })))
    .sort((a, b) => oldestFirst(a.oldest, b.oldest))
    .map(({ tenantId, name, pending, oldest }) => [
      { value: tenantId },
      { value: name },
      ...[pending, age(oldest)].map((value) => ({ value, isNumber: true })),
    ]);
  if (rows.length === 0) return '';
  const left = subscribers.reduce((sum, { tenantCount, tenants }) => sum + tenantCount - tenants.length, 0);
  return `${table(['Tenant', 'Subscriber', 'Pending', 'Oldest'], rows, captionOf(left))}\n`;
}

function redis({ redis: status, bullPath }: BacklogView): string {
  if (!status) return '<p>There is no Redis. Workers find their work in the tables within a second.</p>';
  if (status === 'away') return '<p>Redis does not respond. Workers find their work in the tables within a second.</p>';
  const rows = status.map(({ queue, workers, waiting, active }) => [
    { value: queue },
    ...[workers, waiting, active].map((value) => ({ value, isNumber: true })),
  ]);
  return `${table(['Queue', 'Workers', 'Waiting jobs', 'Running jobs'], rows)}
<p><a href="${bullPath}">Bull’s own pages</a></p>`;
}

interface Cell {
  value: string | number;
  isNumber?: boolean;
}

function table(headings: readonly string[], rows: readonly Cell[][], caption?: string): string {
  const isNumber = (index: number) => rows[0]?.[index]?.isNumber === true;
  const head = headings.map((text, index) => `<th scope="col"${isNumber(index) ? ' class="number"' : ''}>${text}</th>`);
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`);
  return `<div class="table"><table>
${caption === undefined ? '' : `<caption>${caption}</caption>\n`}<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`;
}

function cell({ value, isNumber }: Cell): string {
  const text = typeof value === 'number' ? value.toLocaleString('en') : value;
  return `<td${isNumber ? ' class="number"' : ''}>${escapeHtml(text)}</td>`;
}

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

function age(time: Date | undefined): string {
  return time ? ageOf(time) : '–';
}

/** Returns the time since then in one unit: `45 s`, `12 min`, `3 h`, `2 d`. */
function ageOf(time: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - time.getTime()) / 1000));
  const [size, name] = UNITS.find(([unit]) => seconds >= 2 * unit) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${name}`;
}
