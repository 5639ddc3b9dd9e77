/** What the API's document says before its endpoints; for a stranger who has nothing but this page. */
export const DESCRIPTION = `Content, forms and webhooks of many tenants behind one API.

### To try it out here

Press **Authorize** and paste an API key. A service that was started without any configuration prints the key of its tenant
\`ten_demo\`; otherwise the operator hands keys out. Put the key's tenant into \`tenant_id\`, and begin with *Create a content type*.

### Keys

Every endpoint but *Submit a form* takes an API key: \`Authorization: Bearer <API_KEY>\`. A key belongs to one tenant: any other
\`tenant_id\` in the path is 403. Scopes say what a key may do: \`read\` every GET, \`write\` every other method, \`*\` both, and finer ones
(\`content:read\`, \`forms:write\` …) one part of the API. A key that sends events to a webhook must also be allowed to read what they
carry. A key with \`content:read:published\` sees content types and published entries, and
nothing else. An answer 429 carries \`Retry-After\`, the seconds to wait: for submissions (10 a minute from one address), for keys of a
tenant that has a limit, and after 20 requests a minute with a bad key.

### Bodies and answers

Bodies are JSON objects in UTF-8 (\`Content-Type: application/json\`), except uploads. A single resource is answered as \`{"data": …}\`, a
list as \`{"data": […], "meta": …}\`, a deletion as \`{"message": …}\`. Timestamps are ISO 8601 in UTC with milliseconds. A property that
is not known is an error, and so is a query parameter. Every answer carries \`X-Request-Id\`: the request's own if it sent one of at
most 128 letters, digits and \`. _ : -\`.

### Lists

\`page\` (from 1) and \`per_page\` (25 unless sent, 100 at most) give numbered pages with an exact \`total\`. To walk a whole list send an empty
\`cursor=\` instead, then the \`next_cursor\` of each answer until it is null: every page then costs the same, and nothing is seen twice.

### Errors

Failures are [problem details](https://www.rfc-editor.org/rfc/rfc9457) (\`application/problem+json\`). \`code\` is stable and meant for
programs, \`detail\` for people; \`errors\` lists every wrong value with its dotted path. \`type\` is a page of this service that explains the
code. A resource of another tenant, an id of another kind and an id that never was are all 404.

### Versions

\`/v1\` only grows: new endpoints, new optional inputs. Anything else would be \`/v2\`, and \`/v1\` would then carry \`Deprecation\` and
\`Sunset\` headers for a year at least.`;

/** In the order in which a newcomer meets them. */
export const TAGS = [
  { name: 'Content types', description: 'What entries are made of: a name, a slug and a list of field definitions.' },
  {
    name: 'Entries',
    description:
      'Records of a content type, whose values match its fields. When a type gains a required field, entries without the value stay as ' +
      'they are until they are published or changed there. Writes can be made conditional: send the `ETag` of what you read as `If-Match`.',
  },
  { name: 'Forms', description: 'What visitors may submit.' },
  { name: 'Submissions', description: 'What visitors did submit.' },
  { name: 'Media', description: 'Files that entries show. Uploads are multipart; everything else is JSON.' },
  {
    name: 'Webhooks',
    description:
      'URLs that are told of changes. Deliveries follow [Standard Webhooks](https://www.standardwebhooks.com): verify ' +
      '`webhook-signature` with your secret, and take `webhook-id`, the same on every retry, for the key of what you have seen.',
  },
  { name: 'Events', description: 'The feed of changes, for consumers that were away or that poll.' },
];
