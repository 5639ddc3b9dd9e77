import { readConsoleUrl } from './console-url.js';
import { Environment } from '../environment.js';

const read = (CONSOLE_URL: string, publicUrl: string) => {
  const env = new Environment({ CONSOLE_URL });
  return { url: readConsoleUrl(env, publicUrl), problems: env.problems };
};

describe('CONSOLE_URL', () => {
  it.each([
    ['https://console.example.com', 'https://cms.example.com/base'],
    ['https://example.com:8443/', 'https://cms.example.com'],
    ['http://localhost:5173', 'http://localhost:3000'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:3000'],
    ['http://[::1]:5173', 'http://[::1]:3000'],
  ])('may be %s beside %s', (consoleUrl, publicUrl) => {
    expect(read(consoleUrl, publicUrl)).toEqual({ url: consoleUrl.replace(/\/$/, ''), problems: [] });
  });

  it.each([
    ['https://console.other.com', 'https://cms.example.com'],
    ['http://console.example.com', 'https://cms.example.com'],
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://10.0.0.1', 'http://20.0.0.1'],
  ])('cannot be %s beside %s, because a browser would not send the cookie', (consoleUrl, publicUrl) => {
    expect(read(consoleUrl, publicUrl).problems).toEqual([
      'CONSOLE_URL must have the scheme of PUBLIC_URL, and a host of the same domain.',
    ]);
  });

  it.each([
    'console.example.com',
    'ftp://example.com',
    'https://example.com/console',
    'https://example.com?a',
    'https://user:secret@example.com',
  ])('must be an origin, which %s is not', (consoleUrl) => {
    expect(read(consoleUrl, 'https://example.com').problems).toEqual([
      'CONSOLE_URL must be an http or https URL without a path.',
    ]);
  });
});
