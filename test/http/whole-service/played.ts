import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf, readDocument } from '../../support/api.js';
import { startApp, type TestApp, type TestTenant } from '../../support/app.js';
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

beforeAll(async () => {
  const app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  const document = await readDocument(app);
  const play = async (tenant: TestTenant) => ({ tenant, ...(await playScenario(app, tenant)) });
  Object.assign(played, { app, document, operations: operationsOf(document) });
  Object.assign(played, { mine: await play(app.tenant()), other: await play(app.tenant()) });
}, 240_000);
afterAll(() => played.app.close());
