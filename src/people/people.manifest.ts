import { defineModule } from '../modules/module-manifest.js';

/** People: members of tenants, their roles, and how they sign in. */
export const people = defineModule({
  name: 'people',
  area: 'users',
  ids: { usr: 'member', rol: 'role', ses: 'session', psk: 'passkey' },
  tags: [
    {
      name: 'Members',
      guide: 'reference/people',
      description:
        'People are members of tenants, each with a role. An invitation is sent by email. The scopes `users:read` and `users:write` are only ' +
        'part of `*`, and nobody gives a role that may do more than they may themselves.',
    },
    {
      name: 'Roles',
      guide: 'reference/roles',
      description: 'A role is a list of scopes with a name. Five of them are built in.',
    },
    {
      name: 'Sessions',
      guide: 'reference/sessions',
      description:
        'Signing in sets a cookie, which stands in the place of an API key in requests that have the header `X-Trivet-Console: 1`. A session ' +
        'lasts twelve hours after its last request, and thirty days at most.',
    },
    {
      name: 'Me',
      guide: 'reference/sessions',
      description: 'What the person who is signed in may see and change of themselves.',
    },
  ],
  tables: () => import('./people.tables.js'),
  module: async () => (await import('./people.module.js')).PeopleModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    people: typeof people;
  }
}
