import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createWorkTable } from '../../database/work-table.js';

/** People, how they sign in, their sessions, and their memberships in tenants. The tables of people have no tenant. */
export class People1763000011000 implements MigrationInterface {
  name = 'People1763000011000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE roles (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        name_key text COLLATE "C" NOT NULL,
        scopes text[] NOT NULL,
        locales text[],
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX roles_names ON roles (tenant_id, name_key)`);

    await queryRunner.query(`
      CREATE TABLE members (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        person_id uuid,
        address text COLLATE "C" NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        role_id uuid NOT NULL,
        own_role_id uuid,
        provider text,
        notify_reviews boolean NOT NULL,
        joined_at timestamptz(3),
        last_seen_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )
      WITH (fillfactor = 70)`);
    await queryRunner.query(`CREATE UNIQUE INDEX members_addresses ON members (tenant_id, address)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX members_people ON members (tenant_id, person_id) WHERE person_id IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX members_roles ON members (tenant_id, role_id, id)`);
    await queryRunner.query(`CREATE INDEX members_reviewers ON members (tenant_id, id) WHERE notify_reviews`);
    for (const statement of createWorkTable('review_mails')) await queryRunner.query(statement);

    await queryRunner.query(`
      CREATE TABLE people (
        id uuid NOT NULL,
        address text COLLATE "C" NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        password text,
        tenants text[] NOT NULL,
        PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX people_addresses ON people (address)`);

    await queryRunner.query(`
      CREATE TABLE passkeys (
        id uuid NOT NULL,
        person_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        credential_id text COLLATE "C" NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        last_used_at timestamptz(3),
        PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX passkeys_credentials ON passkeys (credential_id)`);
    await queryRunner.query(`CREATE INDEX passkeys_people ON passkeys (person_id)`);

    await queryRunner.query(`
      CREATE TABLE identities (
        issuer text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        person_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        PRIMARY KEY (issuer, subject)
      )`);
    await queryRunner.query(`CREATE INDEX identities_people ON identities (person_id)`);

    await queryRunner.query(`
      CREATE TABLE known_networks (
        person_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        network uuid NOT NULL,
        last_used_at timestamptz(3) NOT NULL,
        PRIMARY KEY (person_id, network)
      )`);

    await queryRunner.query(`
      CREATE TABLE sessions (
        id uuid NOT NULL,
        hash bytea NOT NULL,
        person_id uuid REFERENCES people (id) ON DELETE CASCADE,
        tenant text COLLATE "C",
        key_id uuid,
        provider text,
        browser text NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        PRIMARY KEY (id)
      )
      WITH (fillfactor = 70)`);
    await queryRunner.query(`CREATE UNIQUE INDEX sessions_hashes ON sessions (hash)`);
    await queryRunner.query(`CREATE INDEX sessions_people ON sessions (person_id, id) WHERE person_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX sessions_keys ON sessions (key_id, id) WHERE key_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX sessions_seen ON sessions (last_seen_at)`);

    await queryRunner.query(`
      CREATE TABLE one_time_tokens (
        hash bytea NOT NULL,
        purpose text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (hash)
      )`);
    await queryRunner.query(`CREATE INDEX one_time_tokens_subjects ON one_time_tokens (subject)`);
    await queryRunner.query(`CREATE INDEX one_time_tokens_ends ON one_time_tokens (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'review_mails',
      'one_time_tokens',
      'sessions',
      'known_networks',
      'identities',
      'passkeys',
      'people',
      'members',
      'roles',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
