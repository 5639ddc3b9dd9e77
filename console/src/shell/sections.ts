import type { EnteredTenant } from '../api/sessions';
import { maySeeUsage, maySome } from '../session/rights';

interface Section {
  readonly name: string;
  /** Below the tenant's address. */
  readonly path: string;
  /** Whether the section is of use to the session. */
  readonly isFor: (tenant: EnteredTenant) => boolean;
}

const withScope = (scope: string) => (tenant: EnteredTenant) => maySome(tenant, scope);

/** The links of `Main`, in their order. A screen that is added gets a line here, and its address in `tenant-pages.tsx`. */
const SECTIONS: readonly Section[] = [
  { name: 'Overview', path: '/', isFor: (tenant) => maySeeUsage(tenant) || maySome(tenant, 'content:read') },
  { name: 'Content', path: '/content', isFor: withScope('content:read:published') },
  { name: 'Media', path: '/media', isFor: withScope('media:read') },
  { name: 'Forms', path: '/forms', isFor: withScope('forms:read') },
  { name: 'Webhooks', path: '/webhooks', isFor: withScope('webhooks:read') },
  { name: 'Settings', path: '/settings', isFor: (tenant) => settingsFor(tenant).length > 0 },
];

/** The pages of `Settings`. */
const SETTINGS: readonly Section[] = [
  { name: 'Members', path: '/settings/members', isFor: withScope('users:read') },
  { name: 'Roles', path: '/settings/roles', isFor: withScope('users:read') },
  { name: 'API keys', path: '/settings/keys', isFor: withScope('keys:read') },
  { name: 'Languages', path: '/settings/languages', isFor: withScope('content:read:published') },
  { name: 'Usage', path: '/settings/usage', isFor: maySeeUsage },
  { name: 'Audit log', path: '/settings/audit', isFor: withScope('audit:read') },
];

export function sectionsFor(tenant: EnteredTenant): readonly Section[] {
  return SECTIONS.filter(({ isFor }) => isFor(tenant));
}

export function settingsFor(tenant: EnteredTenant): readonly Section[] {
  return SETTINGS.filter(({ isFor }) => isFor(tenant));
}

/** Where a tenant's address leads: `/`, the overview, unless the session may not see it. */
export function startOf(tenant: EnteredTenant): string {
  return sectionsFor(tenant)[0]?.path ?? '/me';
}
