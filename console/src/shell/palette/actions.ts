import type { EnteredTenant } from '../../api/sessions';
import { may } from '../../session/rights';

interface Action {
  /** The words of its button. */
  readonly name: string;
  /** The page that has it, with the dialog open. */
  readonly href: string;
  readonly scope: string;
}

const ACTIONS: readonly Action[] = [
  { name: 'New content type', href: '/types/new', scope: 'content:write' },
  { name: 'New form', href: '/forms?open=new', scope: 'forms:write' },
  { name: 'New webhook', href: '/webhooks?open=new', scope: 'webhooks:write' },
  { name: 'Invite', href: '/settings/members?open=new', scope: 'users:write' },
  { name: 'Add language', href: '/settings/languages?open=new', scope: 'content:write' },
  { name: 'New role', href: '/settings/roles?open=new', scope: 'users:write' },
  { name: 'New key', href: '/settings/keys?open=new', scope: 'keys:write' },
];

/** What may be begun from anywhere. */
export function actionsFor(tenant: EnteredTenant): readonly Action[] {
  return ACTIONS.filter(({ scope }) => may(tenant, scope));
}
