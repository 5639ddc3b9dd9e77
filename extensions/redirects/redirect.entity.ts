import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The ways to redirect: permanently or for now, and with the same method or with GET (RFC 9110). */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;

export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

@Entity('redirects')
export class Redirect {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** The path that has moved. Unique in the tenant. */
  @Column('text')
  source!: string;

  /** A path of the same website, or a URL. */
  @Column('text')
  target!: string;

  @Column('smallint')
  status!: RedirectStatus;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;
}
