import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { absentTypesCheck } from '../tenants/absent-field-types.js';

const check = absentTypesCheck({ table: 'content_types', kind: 'content', noun: 'content types' });

/** Says at the start which types of fields are in use although their extension is turned off. */
@Injectable()
export class AbsentContentFieldTypes implements OnApplicationBootstrap {
  private readonly logger = new Logger(AbsentContentFieldTypes.name);

  constructor(private readonly database: Database) {}

  /** The start does not wait for it. */
  onApplicationBootstrap(): void {
    void check(this.database, this.logger);
  }
}
