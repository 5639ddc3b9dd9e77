/** What every mode needs: a database, the service set up on it, and the type and the form that are measured. */
import { FIELDS, FORM_FIELDS } from './data.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { assertEntriesAreTrue, assertSubmissionsAreTrue, ServiceSeed } from './seed-service.mjs';

/** Migrates an empty database, makes type and form through the API, and checks the seed against the API. */
export async function setScene({ options, postgres, folder, neighbours }) {
  const databaseUrl = await postgres.createDatabase('service');
  const configuration = configure({
    dist: options.dist,
    folder,
    databaseUrl,
    neighbours,
    processes: options.processes,
  });
  const seed = await ServiceSeed.of(options.dist, databaseUrl);
  const service = await startService(configuration);
  await assertEntriesAreTrue(service, seed, FIELDS);
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: 'Article', fields: FIELDS });
  const form = await service.send('POST', `/v1/forms/${TENANT}`, { name: 'Contact', fields: FORM_FIELDS }, [404]);
  if (form) await assertSubmissionsAreTrue(service, seed, FORM_FIELDS);
  await service.stop();
  if (!form) console.log('Submissions are left out: the service does not have forms yet.');
  return {
    databaseUrl,
    configuration,
    seed,
    type,
    form,
    path: `/v1/content/${TENANT}/types/${type.id}/entries`,
    formPath: form && `/v1/forms/${TENANT}/${form.id}/submissions`,
  };
}
