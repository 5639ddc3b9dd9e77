import { Environment } from './environment.js';
import { unknownVariables } from './unknown-variables.js';
import { readVariables } from './variables.js';

const environment = new Environment({});
readVariables(environment, []);

/** Returns the suggested name for a variable; undefined if the service does not warn of it. */
function suggestion(name: string, others: Record<string, string> = {}): string | undefined {
  return unknownVariables({ ...others, [name]: 'x' }, environment.names)[0]?.nearest;
}

describe('variables that look like ours', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['WEBHOK_TIMEOUT', 'WEBHOOK_TIMEOUT'],
    ['WEBHOOKS_RETRY_SCHEDULE', 'WEBHOOK_RETRY_SCHEDULE'],
    ['TENANT', 'TENANTS'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['ENCRIPTION_KEY', 'ENCRYPTION_KEY'],
    ['PROT', 'PORT'],
    ['database_url', 'DATABASE_URL'],
    ['TRIVET_PORT', 'PORT'],
  ])('%s is taken for %s', (name, nearest) => {
    expect(suggestion(name)).toBe(nearest);
  });

  it('are not found among names that others use', () => {
    const others =
      'PATH HOME HOSTNAME PWD SHELL USER LANG TERM TZ POST LPORT PORTS HOSTS ROLES npm_config_port npm_package_version INIT_CWD EDITOR ' +
      'REDIS_HOST REDIS_PORT DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER POSTGRES_URL POSTGRES_PASSWORD PGHOST PGDATABASE ' +
      'HTTP_PROXY HTTPS_PROXY HTTP_URL XDG_DATA_DIRS AWS_REGION AWS_SECRET_ACCESS_KEY NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS LOG_FILE ' +
      'TRIVET_URL TRIVET_TENANT TRIVET_KEY TEST_DATABASE_URL KUBERNETES_PORT KUBERNETES_SERVICE_HOST DOCKER_HOST SSH_TTY S3_PREFIX CI';
    for (const name of others.split(' ')) expect([name, suggestion(name)]).toEqual([name, undefined]);
  });

  it('are ignored if they are empty, or if the known variable is set too', () => {
    expect(unknownVariables({ SMPT_URL: ' ' }, environment.names)).toEqual([]);
    expect(suggestion('SMPT_URL', { SMTP_URL: 'smtp://127.0.0.1' })).toBeUndefined();
  });
});
