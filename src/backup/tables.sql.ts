/**
 * The tables of the schema that the service uses, except what holds for half a minute. Partitions are read through their partitioned table.
 */
export const TABLES = `
  SELECT c.oid::text AS oid, c.relname AS name
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence <> 't' AND c.relname NOT IN ('migrations', 'entry_presence')
  ORDER BY c.relname`;

/** The columns in their order, except generated ones. PostgreSQL computes those when the rows are loaded. */
export const TABLE_COLUMNS = `
  SELECT a.attrelid::text AS oid, a.attname AS name
  FROM pg_attribute a
  WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  ORDER BY a.attrelid, a.attnum`;

/** The foreign keys between tables: `child` refers to `parent`. */
export const REFERENCES = `
  SELECT conrelid::text AS child, confrelid::text AS parent
  FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::oid[]) AND conrelid <> confrelid`;

/** The sequences of the schema, except that of the migrations table. */
export const SEQUENCES = `
  SELECT c.relname AS name
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND NOT EXISTS (
    SELECT 1 FROM pg_depend d JOIN pg_class t ON t.oid = d.refobjid
    WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND t.relname = 'migrations'
  )
  ORDER BY c.relname`;

export const MIGRATIONS = 'SELECT name FROM migrations ORDER BY id';

/** An object of the schema that is not part of an extension. One is enough to know that the schema is not empty. */
export const OBJECTS = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relkind DESC, c.relname LIMIT 1`;
