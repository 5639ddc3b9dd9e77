export interface Right {
  readonly scope: string;
  readonly words: string;
  /** Whether it may be given for some content types alone. */
  readonly isNarrowed?: boolean;
}

interface Area {
  readonly name: string;
  readonly rights: readonly Right[];
}

/** What may be given with a role, in the words of people. */
export const AREAS: readonly Area[] = [
  {
    name: 'Content',
    rights: [
      { scope: 'content:read:published', words: 'Read what is published', isNarrowed: true },
      { scope: 'content:read', words: 'Read entries and drafts', isNarrowed: true },
      { scope: 'content:draft', words: 'Write drafts, and ask for review', isNarrowed: true },
      { scope: 'content:write', words: 'Write and publish entries, change content types', isNarrowed: true },
    ],
  },
  {
    name: 'Media',
    rights: [
      { scope: 'media:read', words: 'See files' },
      { scope: 'media:write', words: 'Upload, change and delete files' },
    ],
  },
  {
    name: 'Forms',
    rights: [
      { scope: 'forms:read', words: 'Read forms and submissions' },
      { scope: 'forms:write', words: 'Change forms, handle and delete submissions' },
    ],
  },
  {
    name: 'Webhooks',
    rights: [
      { scope: 'webhooks:read', words: 'See webhooks and deliveries' },
      { scope: 'webhooks:write', words: 'Change webhooks, and send again' },
      { scope: 'events:read', words: 'Follow events' },
    ],
  },
  {
    name: 'Tenant',
    rights: [
      { scope: 'users:read', words: 'See members and roles' },
      { scope: 'users:write', words: 'Invite and remove members, change roles' },
      { scope: 'keys:read', words: 'See API keys' },
      { scope: 'keys:write', words: 'Make and revoke API keys' },
      { scope: 'audit:read', words: 'Read the audit log' },
    ],
  },
];

const WHOLE: Readonly<Record<string, string>> = {
  '*': 'Everything, members and API keys too',
  read: 'Read everything but members and API keys',
  write: 'Change everything but members and API keys',
};

/** Says in a line what scopes allow. A scope that this page has no words for stands as it is. `typeName` names a content type by its ID or slug. */
export function summaryOf(scopes: readonly string[], typeName: (type: string) => string): string {
  const types = new Map<string, string[]>();
  for (const scope of scopes) {
    const [base = '', type] = scope.split('@');
    types.set(base, [...(types.get(base) ?? []), ...(type === undefined ? [] : [typeName(type)])]);
  }
  return [...types]
    .map(([base, names]) => wordsFor(base) + (names.length > 0 ? ` (only of ${names.join(', ')})` : ''))
    .join(' · ');
}

function wordsFor(scope: string): string {
  const known = AREAS.flatMap(({ rights }) => rights).find((right) => right.scope === scope);
  return WHOLE[scope] ?? known?.words ?? scope;
}
