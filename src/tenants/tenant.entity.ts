import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant from the configuration. Its row and its data stay when it is removed from the configuration. */
@Entity('tenants')
export class Tenant {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  /** The values that `PUBLIC_URL` had, the latest first, with one spelling of loopback addresses (`withOneLoopback`). */
  @Column('text', { name: 'public_urls', array: true, default: [] })
  publicUrls!: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
