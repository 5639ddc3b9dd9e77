/** The operation that the clients are generated for. */
const PATH = '/v1/content/{tenant_id}/types/{content_type_id}/entries';

/** Returns the part of the OpenAPI document that describes the list of entries: its parameters, its response and their schemas. */
export function listOfEntries({ openapi, info, paths, components, security }) {
  const { get } = paths[PATH];
  const operation = { ...get, responses: { 200: get.responses[200] } };
  const schemas = {};
  const collect = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (schemas[name]) continue;
      schemas[name] = components.schemas[name];
      collect(schemas[name]);
    }
  };
  collect(operation);
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: { [PATH]: { get: operation } },
    components: { schemas, securitySchemes: components.securitySchemes },
    ...(security && { security }),
  };
}
