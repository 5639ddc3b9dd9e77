import { MigrationInterface, QueryRunner } from 'typeorm';

/** Key pairs that sign deliveries. */
export class SigningKeys1763000131000 implements MigrationInterface {
  name = 'SigningKeys1763000131000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN signing_key text, ADD COLUMN public_key text COLLATE "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN signing_key, DROP COLUMN public_key`);
  }
}
