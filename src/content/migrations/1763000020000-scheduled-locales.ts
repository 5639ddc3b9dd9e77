import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schedules that publish and take off some locales alone. */
export class ScheduledLocales1763000020000 implements MigrationInterface {
  name = 'ScheduledLocales1763000020000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE entry_schedules ADD COLUMN locales text[]');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE entry_schedules DROP COLUMN locales');
  }
}
