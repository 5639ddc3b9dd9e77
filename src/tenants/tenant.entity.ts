import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant as the configuration named it. It stays, with its data, when it leaves the configuration. */
@Entity('tenants')
export class Tenant {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
