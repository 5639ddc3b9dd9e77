/** The introduction of the OpenAPI document. What a reader must know besides is in the guides, so that the operations come first. */
export const DESCRIPTION = `Content, forms, media and webhooks for many tenants, through one API.

The [guides](/guides) explain how it is used: start with [Build a site](/guides/tutorials/first-site) and
[Requests and responses](/guides/reference/requests-and-responses). [Problems](/problems) lists every error code.

To try the API on this page, select **Authorize** and enter an API key. A service that was started without any configuration prints
the key of its tenant \`ten_demo\`. Enter the tenant of the key as \`tenant_id\`.`;
