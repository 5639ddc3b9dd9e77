import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf, readDocument } from '../../support/api.js';
import { startApp, type TestApp, type TestTenant } from '../../support/app.js';
import { LyingProvider } from '../../support/lying-provider.js';
import { beginFlow, providerSetting, signInBy } from '../../support/oidc-flows.js';
import { type Call, playScenario, type Resources } from '../../support/scenario.js';

/** A tenant that played the scenario. */
interface Player {
  tenant: TestTenant;
  calls: Call[];
  resources: Resources;
}

/** The service after two tenants have played the scenario. */
interface Played {
  app: TestApp;
  document: OpenAPIObject;
  operations: Operation[];
  mine: Player;
  other: Player;
}

/** It is complete when the tests begin. */
export const played = {} as Played;

let provider: LyingProvider;

beforeAll(async () => {
  provider = await LyingProvider.start();
  const oidcProviders = (ids: string[]) => [
    providerSetting('acme', provider.issuer, [{ id: ids.at(-1), default_role: 'viewer' }]),
  ];
  const app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }, { oidcProviders });
  const document = await readDocument(app);
  const play = async (tenant: TestTenant) => ({ tenant, ...(await playScenario(app, tenant)) });
  Object.assign(played, { app, document, operations: operationsOf(document) });
  Object.assign(played, { mine: await play(app.tenant()), other: await play(app.tenant()) });
  played.mine.calls.push(...(await playProvider(app)));
}, 240_000);
afterAll(async () => {
  await played.app.close();
  await provider.close();
});

/** Signs in with a provider of a tenant that plays nothing else. */
async function playProvider(app: TestApp): Promise<Call[]> {
  await beginFlow(app, 'acme');
  const { status } = await signInBy(app, 'acme', provider, { sub: 'ada' });
  const call = { method: 'get', status, contentType: '', body: {}, requestId: '' } as const;
  return ['start', 'callback'].map((path) => ({ ...call, path: `/v1/oidc/acme/${path}` }));
}
