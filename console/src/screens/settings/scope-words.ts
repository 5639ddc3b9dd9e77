interface Right {
  readonly scope: string;
  readonly words: string;
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
      { scope: 'content:read:published', words: 'Read what is published' },
      { scope: 'content:read', words: 'Read entries and drafts' },
      { scope: 'content:draft', words: 'Write drafts, and ask for review' },
      { scope: 'content:write', words: 'Write and publish entries, change content types' },
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

/** Says in a line what scopes allow. A scope that this page has no words for stands as it is. */
export function summaryOf(scopes: readonly string[]): string {
  return scopes.map(wordsFor).join(' · ');
}

function wordsFor(scope: string): string {
  const [base = '', type] = scope.split('@');
  const words = WHOLE[base] ?? AREAS.flatMap(({ rights }) => rights).find((right) => right.scope === base)?.words;
  if (words === undefined) return scope;
  return type === undefined ? words : `${words} (only of ${type})`;
}
