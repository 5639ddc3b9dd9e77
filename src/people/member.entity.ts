import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements of this module read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a test
 * compares them with the migrations.
 */

/** A person in a tenant: a member, or somebody who is invited. What a tenant sees of a person is here, and nothing of it in `Person`. */
@Entity('members')
export class Member {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The ID of the membership, which is the only public ID of a person. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Null until the invitation is accepted. */
  @Column('uuid', { name: 'person_id', nullable: true })
  personId!: string | null;

  /** The email address as it is compared (`canonicalEmail`). */
  @Column('text')
  address!: string;

  /** The email address as it was typed. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  /** A built-in role or one of the tenant's own. */
  @Column('uuid', { name: 'role_id' })
  roleId!: string;

  /** The role that the tenant gave to somebody whose groups give another one now, and that is theirs again without these groups. */
  @Column('uuid', { name: 'own_role_id', nullable: true })
  ownRoleId!: string | null;

  /** The OpenID Connect provider that gave the membership; null for somebody who was invited. */
  @Column('text', { nullable: true })
  provider!: string | null;

  /** Whether the member receives emails about reviews. */
  @Column('boolean', { name: 'notify_reviews' })
  notifyReviews!: boolean;

  /** Null until the invitation is accepted. */
  @Column({ type: 'timestamptz', name: 'joined_at', precision: 3, nullable: true })
  joinedAt!: Date | null;

  /** The minute. */
  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3, nullable: true })
  lastSeenAt!: Date | null;
}

/** A role that is not built in. */
@Entity('roles')
export class Role {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  /** Narrowed scopes name the content type by its public ID. */
  @Column('text', { array: true })
  scopes!: string[];

  /** The locales whose values its members may change; null: all. */
  @Column('text', { array: true, nullable: true })
  locales!: string[] | null;
}
