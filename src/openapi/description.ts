import { problemExamples } from '../errors/problem-examples.js';

const PROBLEM = JSON.stringify(problemExamples(['validation_failed'])['validation_failed']?.value, null, 2);

/** The introduction of the OpenAPI document, for a reader who has only this page. */
export const DESCRIPTION = `Trivet provides content, forms and webhooks for many tenants through one API.

### Try the API on this page

Select **Authorize** and enter an API key. A service that was started without any configuration prints the key of its tenant
\`ten_demo\`. Otherwise the operator gives you a key. Enter the tenant of the key as \`tenant_id\`, and start with *Create a content type*.

### API keys

Endpoints require an API key: \`Authorization: Bearer <API_KEY>\`. These do not: *Submit a form*, *Get a challenge*, *Get a file*,
*Follow a preview link*, *List event types*, and *List entries* and *Get an entry* for published entries of a \`public\` content type. A key
belongs to one tenant. The response is 403 for any other \`tenant_id\` in the path. Scopes define what a key can do: \`read\` allows every GET
request and \`write\` every other method, except those on keys, which require \`keys:write\`. \`*\` allows everything. Finer scopes
(\`content:read\`, \`forms:write\` …) allow the same for one part of the API. A key that sends events to a webhook must also be allowed to read the data of these events. A key with
\`content:read:published\` can read content types and published entries, and nothing else. \`x-scopes\` of an operation lists the scopes that
allow it; a key needs one of them.

A 429 response contains \`Retry-After\`, the number of seconds to wait. These requests are limited: submissions (10 per minute from one
address) and challenges of forms (60), reads without a key (600 per minute from one address unless the service is configured otherwise),
requests with the keys of a tenant that has a limit, requests with a missing or unknown key (after 20 per minute), and requests for image
variants that do not exist yet (120 per minute from one address).

### Requests and responses

Bodies are JSON objects in UTF-8 (\`Content-Type: application/json\`), except those of uploads and imports. Submissions can also be sent as
a browser encodes a form. A single resource is returned as \`{"data": …}\`, a
list as \`{"data": […], "meta": …}\`. A deletion returns \`{"message": …}\`. Timestamps are ISO 8601 in UTC with milliseconds. An unknown
property is an error, and so is an unknown query parameter. Every response has the header \`X-Request-Id\`. Its value is the ID from the
request if the request sent one with at most 128 letters, digits and \`. _ : -\`.

### Repeating a request

Send a new random \`Idempotency-Key\` with a request that writes. If no response arrives, send the same request with the same key again: it
happens once, and a repetition returns the first response, with \`Idempotency-Replayed: true\`. Successful responses are kept for 24
hours, failures are not. Another request with the key is 422 \`idempotency_key_reused\`. While the first one is in progress, the response is
409 with \`Retry-After\`.

### Lists

\`page\` (starting at 1) and \`per_page\` (25 by default, at most 100) return numbered pages with an exact \`total\`. To read a whole list,
send an empty \`cursor=\` instead, and then the \`next_cursor\` of each response until it is null. Every page then costs the same, except
over a ranked search, and no record is returned twice unless its sort key changes.

### Errors

Errors are [problem details](https://www.rfc-editor.org/rfc/rfc9457) (\`application/problem+json\`). \`code\` is stable and meant for
programs. \`detail\` is meant for people. \`errors\` lists every invalid value with its dotted path. \`type\` is the path of a page of this
service that explains the code. The response is 404 for a resource of another tenant, for an ID of another kind of resource, and for an
ID that never existed.

\`\`\`json
${PROBLEM}
\`\`\`

### Versions

Changes to \`/v1\` add endpoints, optional inputs, and properties of responses that a client asks for. Corrections are the exception: a value that
the service accepted but could not keep may be refused, and a response that differed from this document may change. The changelog lists them
under _Changed_. Any other change would become \`/v2\`. \`/v1\` would then send the headers \`Deprecation\` and \`Sunset\` for at least one year.`;
