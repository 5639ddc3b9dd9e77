import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys that are made over the API. */
export class Keys1763000007000 implements MigrationInterface {
  name = 'Keys1763000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE api_keys (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        hash bytea NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        created_by uuid NOT NULL,
        root bytea,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        member_id uuid,
        locales text[],
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX api_keys_makers ON api_keys (tenant_id, created_by)`);
    await queryRunner.query(
      `CREATE INDEX api_keys_members ON api_keys (tenant_id, member_id) WHERE member_id IS NOT NULL`,
    );

    // A key that is in use is updated each minute.
    await queryRunner.query(`
      CREATE TABLE key_uses (
        tenant_id text COLLATE "C" NOT NULL,
        key_id uuid NOT NULL,
        last_used_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, key_id)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE access_versions (
        tenant_id text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        ended bigint NOT NULL,
        PRIMARY KEY (tenant_id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE access_versions`);
    await queryRunner.query(`DROP TABLE key_uses`);
    await queryRunner.query(`DROP TABLE api_keys`);
  }
}
