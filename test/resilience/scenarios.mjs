/** All scenarios in the order in which they run. The short form omits those marked `isLong`. */
const NAMES = [
  'mail-flood',
  'pipelining-closed',
  'pipelining-open',
  'slow-file-readers',
  'slow-list-readers',
  'slow-senders',
  'slow-form-files',
  'idle-connections',
  'svg-bombs',
  'pattern-put',
  'pattern-create',
  'json-numbers',
  'contains',
  'crowd',
  'sign-in-flood',
  'schema-puts',
  'index-rows',
  'variants-anonymous',
  'variants-parallel',
  'full-media-disk',
  'full-database-disk',
  'large-entries',
  'large-types',
  'many-types',
  'overload-tenant',
  'overload-tenants',
  'stopping',
  'hang-up',
  'logs',
  'feed',
  'assistants',
  'access',
];

export async function loadScenarios() {
  const modules = await Promise.all(NAMES.map((name) => import(`./scenarios/${name}.mjs`)));
  return modules.map(({ default: scenario }, index) => ({ name: NAMES[index], ...scenario }));
}
