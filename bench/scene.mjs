/** What every mode needs: a database, the service with its tables in it, and the content type and form to measure. */
import { checkedSubmissions, SPAM } from './checked-submissions.mjs';
import { FIELDS, FORM_FIELDS } from './data.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { assertEntriesAreTrue, assertSubmissionsAreTrue, ServiceSeed } from './seed-service.mjs';

/** Migrates an empty database, creates type and form through the API, and compares the seeded rows with those of the API. */
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
  const settings = { spam: SPAM };
  const checked =
    form &&
    (await service.send('POST', `/v1/forms/${TENANT}`, { name: 'Checked', fields: FORM_FIELDS, settings }, [422]));
  await service.stop();
  if (!form) console.log('Submissions are skipped: this version of the service has no forms.');
  return {
    databaseUrl,
    configuration,
    seed,
    type,
    form,
    path: `/v1/content/${TENANT}/types/${type.id}/entries`,
    checkedPath: checked && `/v1/forms/${TENANT}/${checked.id}/submissions`,
    checkedFields: checked && (await checkedSubmissions(options.dist, configuration, checked.id)),
    formPath: form && `/v1/forms/${TENANT}/${form.id}/submissions`,
  };
}
