/** docs/reference/roles.md: which operation each built-in role allows, from `x-scopes` of the API's document. `references.mjs` writes it. */

const DRAFTS = 'content:draft';

export function rolesPage({ paths, tags }, roles) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = operations.filter((operation) => operation['x-scopes']?.length > 0);
  const rows = tags.flatMap(({ name }) => {
    const own = named.filter((operation) => operation.tags.includes(name));
    if (own.length === 0) return [];
    return [`| **${name}** |${' |'.repeat(roles.length)}`, ...own.map((operation) => row(operation, roles))];
  });
  return `# Roles

A role is a list of scopes with a name. Every member of a tenant has one role ([members](people.md)). A session of a member may do in the tenant what an API key
with these scopes may do ([API keys and scopes](keys-and-scopes.md)). Five roles are built in, and nobody changes them:

| Role | Scopes |
| --- | --- |
${roles.map(({ name, scopes }) => `| \`${name}\` | ${scopes.map((scope) => `\`${scope}\``).join(' ')} |`).join('\n')}

## Roles of a tenant

\`/v1/roles/{tenant_id}\` lists the roles, and makes, changes and deletes those of the tenant: \`{id, name, scopes, locales?, built_in}\`. It requires
\`users:read\` or \`users:write\`, which are only part of \`*\`.

\`\`\`sh
curl -X POST $API/v1/roles/ten_demo -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "translator", "scopes": ["content:read", "content:write@post"], "locales": ["de"]}'
\`\`\`

- Names are unique in the tenant, also among the built-in ones. Case makes no difference. A tenant has at most 100 roles of its own (409).
- Nobody gives a role scopes that they do not have, and nobody changes or deletes a role that allows more than they may (403). A narrowed scope
  names the content type by its ID or slug, and is answered with the ID.
- \`locales\` are the locales whose values the members may change ([what they may not](locales.md#publish-one-language)). Without them, or with \`null\`: all.
  A member with \`locales\` makes no role that changes the values of other ones.
- A change is in effect for all members with the role, in every process within a second.
- A role that members have, or are invited with, is not deleted: 409 with their number.
- If the only members with \`*\` have it by this role, it keeps \`*\` and gets no \`locales\` (409).

## What the built-in roles allow

"Drafts" stands for what is not live: [\`content:draft\`](keys-and-scopes.md#changes-of-what-is-not-live). What needs no key is open to everybody, and _Me_ and
_Sessions_ to every person. Every member may leave with _Remove a member_. _Create a sign-in link_ takes an API key, and no session.

| Operation | ${roles.map(({ name }) => name).join(' | ')} |
| --- |${' --- |'.repeat(roles.length)}
${rows.join('\n')}
`;
}

function row(operation, roles) {
  return `| ${operation.summary} | ${roles.map(({ scopes }) => cell(operation, scopes)).join(' | ')} |`;
}

function cell({ 'x-scopes': allowing, 'x-other-scopes': others = [], 'x-no-session': isForKeys }, scopes) {
  const own = allowing.filter((scope) => scopes.includes(scope));
  const hasOthers = scopes.includes('*') || scopes.includes('read') || others.every((scope) => scopes.includes(scope));
  if (own.length === 0 || !hasOthers || isForKeys) return '–';
  return own.every((scope) => scope === DRAFTS) ? 'drafts' : 'yes';
}
