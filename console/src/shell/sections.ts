import type { EnteredTenant } from '../api/sessions';
import { may } from '../session/rights';

interface Section {
  readonly name: string;
  /** Below the tenant's address. */
  readonly path: string;
  /** A scope that the section is of no use without. */
  readonly scope: string;
}

/** The links of `Main`, in their order. A screen that is added gets a line here, and its address in `tenant-pages.tsx`. */
const SECTIONS: readonly Section[] = [{ name: 'Settings', path: '/settings', scope: 'users:read' }];

/** The pages of `Settings`. */
const SETTINGS: readonly Section[] = [
  { name: 'Members', path: '/settings/members', scope: 'users:read' },
  { name: 'Roles', path: '/settings/roles', scope: 'users:read' },
];

export function sectionsFor(tenant: EnteredTenant): readonly Section[] {
  return SECTIONS.filter(({ scope }) => may(tenant, scope));
}

export function settingsFor(tenant: EnteredTenant): readonly Section[] {
  return SETTINGS.filter(({ scope }) => may(tenant, scope));
}

/** Where a tenant's address leads: the first section, or the page that everybody has. */
export function startOf(tenant: EnteredTenant): string {
  return sectionsFor(tenant)[0]?.path ?? '/me';
}
