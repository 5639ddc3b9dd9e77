import { MigrationInterface, QueryRunner } from 'typeorm';

/** Several replaced secrets of a webhook sign deliveries at once, each for its own time. */
export class PreviousSecrets1763000150000 implements MigrationInterface {
  name = 'PreviousSecrets1763000150000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN previous_secrets json`);
    await queryRunner.query(`
      UPDATE webhooks SET previous_secrets = json_build_array(json_build_object('secret', previous_secret, 'until', previous_secret_until))
      WHERE previous_secret IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN previous_secret, DROP COLUMN previous_secret_until`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks ADD COLUMN previous_secret text, ADD COLUMN previous_secret_until timestamptz(3)`);
    await queryRunner.query(`
      UPDATE webhooks SET previous_secret = previous_secrets->0->>'secret',
        previous_secret_until = (previous_secrets->0->>'until')::timestamptz
      WHERE previous_secrets IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN previous_secrets`);
  }
}
