import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `stored-responses.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a
 * test compares it with the migrations.
 */

/** The answer to a successful request with an `Idempotency-Key`. It is written in the commit of the request's change. */
@Entity('stored_responses')
export class StoredResponse {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The ID of the resource that the key belongs to. Empty: the tenant. */
  @PrimaryColumn('text')
  owner!: string;

  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of the method, the path with its query, and the body. */
  @Column('bytea')
  request!: Buffer;

  @Column('smallint')
  status!: number;

  @Column('json')
  headers!: Record<string, string>;

  /** Null if the answer was too large. It is then that of a GET of `location`. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('text', { nullable: true })
  location!: string | null;

  /** The resource that the answer shows. Null if it shows none, or the resource was erased: then there is no body either. */
  @Column('uuid', { nullable: true })
  resource!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
