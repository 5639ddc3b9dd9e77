import type { Player } from './scenario.js';
import type { TestApp } from './app.js';

/**
 * What the tests of the whole service need to know about an extension: `extensions/<name>/<name>.scenario.ts` exports it as `scenario`.
 * `EXTENSIONS=<name> npm test -- whole-service` then tests its operations too.
 */
export interface ExtensionScenario {
  /**
   * Calls every operation of the extension, with and without success. Returns the IDs of its resources by their names in paths. Must not
   * delete these, because other tenants request them.
   */
  play(player: Player): Promise<Record<string, string>>;
  /**
   * SQL that fills the growing tables, mostly for one tenant: from the table `numbers`, which has 20,000 rows with `number`, `id`,
   * `tenant_id` and `parent`.
   */
  muchData: readonly string[];
  /** The tables that stay small, each with the reason. */
  smallTables?: Readonly<Record<string, string>>;
  /** The names of the statements that `play` does not cause, each with the reason and the test that does. */
  notRecorded?: Readonly<Record<string, string>>;
  /** The types of events that `play` does not cause, each with the reason and the test that does. */
  notRecordedEvents?: Readonly<Record<string, string>>;
  /** A new value for each property of the body of an update, by the update: `patch /v1/redirects/{tenant_id}/{redirect_id}`. */
  updates?: Record<string, Record<string, unknown>>;
  /** The operations that change nothing that the audit log records, each with the reason. */
  notAudited?: Readonly<Record<string, string>>;
  /** The writes that refuse an `Idempotency-Key`, each with the reason. */
  refusing?: Readonly<Record<string, string>>;
  /** The operations that other scopes allow too than those of their path and method, each with the reason. */
  scopes?: Readonly<Record<string, { also: readonly string[]; reason: string }>>;
  /** The names of the queries over all tenants, which must be plain reads. */
  acrossTenants?: readonly string[];
}

export async function scenariosOf({ config }: TestApp): Promise<ExtensionScenario[]> {
  return Promise.all(
    config.extensions.map(async (name) => {
      const path = `../../extensions/${name}/${name}.scenario.js`;
      return ((await import(path)) as { scenario: ExtensionScenario }).scenario;
    }),
  );
}
