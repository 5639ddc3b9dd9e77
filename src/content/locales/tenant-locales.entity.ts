import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LocaleSettings } from '../../fields/localized/locale-settings.js';

/** The locales of a tenant. A tenant that has not set them may have no row. */
@Entity('tenant_locales')
export class TenantLocales {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('json')
  settings!: LocaleSettings;

  @Column('integer')
  revision!: number;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;
}
