import type { Config } from '../config/config.js';

/** Prints the URLs of the service for a person at a terminal, and for the demo tenant its API key and an example command. */
export function greet(config: Config, port: number): void {
  const url = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl;
  const lines = [`Trivet listens on ${url}`, `API documentation: ${url}/docs`];
  if (config.demo) {
    const { tenantId, key } = config.demo;
    lines.push(
      `Demo tenant:       ${tenantId}`,
      `Demo API key:      ${key}`,
      '',
      'Try it:',
      `  curl -s ${url}/v1/content/${tenantId}/types -H 'Authorization: Bearer ${key}'`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
