/**
 * The statements of a migration that creates the table of a `WorkSubscriber`. A claim changes no indexed column, so that it stays within
 * its page (a HOT update).
 */
export function createWorkTable(name: string): string[] {
  return [
    `CREATE TABLE ${name} (
      tenant_id text COLLATE "C" NOT NULL,
      event_id uuid NOT NULL,
      status text COLLATE "C" NOT NULL,
      attempts integer NOT NULL,
      next_attempt_at timestamptz(3),
      claimed_until timestamptz(3),
      last_error text,
      created_at timestamptz(3) NOT NULL,
      finished_at timestamptz(3),
      PRIMARY KEY (tenant_id, event_id)
    ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)`,
    `CREATE INDEX ${name}_due ON ${name} (tenant_id, next_attempt_at) WHERE status = 'pending'`,
    `CREATE INDEX ${name}_needed ON ${name} (tenant_id, event_id) WHERE status = 'pending'`,
  ];
}
