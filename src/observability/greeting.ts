import type { Config } from '../config/config.js';
import { defaultUrl } from '../config/variables.js';
import type { JsonLogger } from './logger.js';

type Greeted = Pick<
  Config,
  'role' | 'host' | 'port' | 'publicUrl' | 'dataDir' | 'databaseUrl' | 'demo' | 'logFormat' | 'webConcurrency'
>;

/**
 * Says that the service has started: as a line of the log, or as text for a person at a terminal. `url` is where it listens, and `signInLink`
 * leads into the console.
 */
export function greet(config: Greeted, url: string, logger: JsonLogger, signInLink?: string): void {
  if (config.logFormat === 'pretty') process.stdout.write(`\n${textFor(config, url, signInLink).join('\n')}\n\n`);
  else logger.log(valuesFor(config, url, signInLink), `${opening(config)} listens on ${url}`, 'Main');
}

function opening({ role }: Greeted): string {
  return role === 'worker' ? 'A worker of Trivet (webhooks and email; no API)' : 'Trivet';
}

function valuesFor(
  { role, publicUrl, dataDir, demo, host, port }: Greeted,
  url: string,
  signInLink: string | undefined,
): object {
  return {
    role,
    url,
    ...(role !== 'worker' && { docs: `${url}/docs` }),
    ...(publicUrl !== defaultUrl(host, port) && { public_url: publicUrl }),
    data_dir: dataDir,
    ...(role !== 'worker' && demo && { demo_tenant: demo.tenantId, demo_api_key: demo.key }),
    ...(signInLink !== undefined && { sign_in_link: signInLink }),
  };
}

function textFor(config: Greeted, url: string, signInLink: string | undefined): string[] {
  const { role, host, port, publicUrl, dataDir, databaseUrl } = config;
  const data = databaseUrl ? `the server of DATABASE_URL, and files in ${dataDir}` : dataDir;
  if (role === 'worker') {
    return [
      `A worker of Trivet listens on ${url}`,
      'It delivers webhooks and sends email. It serves no API.',
      '',
      `Health:            ${url}/health/ready`,
      `Metrics:           ${url}/metrics`,
      `Data:              ${data}`,
    ];
  }
  const isPublic = publicUrl !== defaultUrl(host, port);
  return [
    `Trivet listens on ${url}`,
    '',
    `API documentation: ${url}/docs`,
    ...(isPublic ? [`Public URL:        ${publicUrl}`] : []),
    ...(role === 'api' ? ['Webhooks, email:   left to processes with ROLE=worker'] : []),
    `Data:              ${data}`,
    ...keysFor(config, url, signInLink),
  ];
}

function keysFor({ demo }: Greeted, url: string, signInLink: string | undefined): string[] {
  if (!demo) return ['API keys:          those in TENANTS; npm run key generates a new one'];
  return [
    `Demo tenant:       ${demo.tenantId}`,
    `Demo API key:      ${demo.key}`,
    ...(signInLink === undefined
      ? []
      : [
          `Console:           ${signInLink}`,
          '                   (good once, for an hour; npm run console makes another)',
        ]),
    '',
    'Try it:',
    '  npm run demo',
    `  curl -s ${url}/v1/content/${demo.tenantId}/types -H 'Authorization: Bearer ${demo.key}'`,
  ];
}
