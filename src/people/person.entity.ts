import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * Tables without a tenant: in a cluster of database servers, they stay on the coordinator, so their statements use no table of tenants. No
 * code loads these classes: they describe the tables to TypeORM, and a test compares them with the migrations.
 */

/** A person of the whole installation, with at least one membership. */
@Entity('people')
export class Person {
  @PrimaryColumn('uuid')
  id!: string;

  /** The email address as it is compared (`canonicalEmail`). Unique. */
  @Column('text')
  address!: string;

  /** The email address as it was typed. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  /** The hash, in the format of Argon2. Null without a password. */
  @Column('text', { nullable: true })
  password!: string | null;

  /** The tenants that the person is a member of. */
  @Column('text', { array: true })
  tenants!: string[];
}

/** A passkey (WebAuthn) of a person. */
@Entity('passkeys')
export class Passkey {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'person_id' })
  personId!: string;

  /** As the authenticator names it, in base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** COSE. */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  @Column('bigint')
  counter!: string;

  @Column('text', { array: true })
  transports!: string[];

  @Column('text')
  name!: string;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}

/** What an OpenID Connect provider calls a person. */
@Entity('identities')
export class Identity {
  @PrimaryColumn('text')
  issuer!: string;

  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid', { name: 'person_id' })
  personId!: string;
}

/** A network from which a person has signed in. Failures elsewhere do not keep the person out there. */
@Entity('known_networks')
export class KnownNetwork {
  @PrimaryColumn('uuid', { name: 'person_id' })
  personId!: string;

  /** A hash of the network's address. */
  @PrimaryColumn('uuid')
  network!: string;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3 })
  lastUsedAt!: Date;
}

/** A session of a person, or of an API key. The UUID has the time at which it began. */
@Entity('sessions')
export class PersonSession {
  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the token, which is not stored. */
  @Column('bytea')
  hash!: Buffer;

  /** Null for a session of a key. */
  @Column('uuid', { name: 'person_id', nullable: true })
  personId!: string | null;

  /** The tenant of the key; null for a session of a person. */
  @Column('text', { nullable: true })
  tenant!: string | null;

  @Column('uuid', { name: 'key_id', nullable: true })
  keyId!: string | null;

  /** The OpenID Connect provider by which the person signed in. */
  @Column('text', { nullable: true })
  provider!: string | null;

  /** What the browser says it is, in a few words. */
  @Column('text')
  browser!: string;

  /** The minute. */
  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 })
  lastSeenAt!: Date;
}

/** A token that is good once: of an invitation, a password reset or a sign-in link, or a challenge that was answered. */
@Entity('one_time_tokens')
export class OneTimeToken {
  /** SHA-256 of the token, which is not stored. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('text')
  purpose!: string;

  /** What it is for: the ID of a person, or the tenant and the ID of a membership or key, separated by a space. */
  @Column('text')
  subject!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
