import { Environment } from './environment.js';
import { CONFIGURATION } from './reference.js';
import { readVariables } from './variables.js';

const variables = CONFIGURATION.flatMap((group) => group.variables);

/** The region of a bucket needs one. */
const BUCKET = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

const read = (env: Record<string, string>) => {
  const environment = new Environment(env);
  return { environment, config: readVariables(environment, []) };
};

describe('the reference of the configuration', () => {
  it('has every variable that the service reads, once', () => {
    const { environment } = read({});
    expect(variables.map(({ name }) => name).sort()).toEqual([...environment.names].sort());
  });

  it.each(variables.flatMap((each) => (each.default === undefined ? [] : [[each.name, each.default]])))(
    'names the default of %s: %s',
    (name, value) => {
      const config = read(BUCKET).config;
      expect(read({ ...BUCKET, [name]: value })).toMatchObject({ config, environment: { problems: [] } });
    },
  );

  it('has only examples that are valid', () => {
    // They name files and hosts, or need each other.
    const alone =
      /_FILE$|^(S3_BUCKET|CONSOLE_URL|TENANTS|OIDC_PROVIDERS|DATABASE_REPLICA_URL|MAIL_TRANSPORT|NODE_ENV)$/;
    for (const { name, example } of variables) {
      if (example === undefined || alone.test(name)) continue;
      expect([name, read({ [name]: example }).environment.problems]).toEqual([name, []]);
    }
  });
});
