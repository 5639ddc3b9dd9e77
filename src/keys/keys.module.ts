import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuedKeys } from '../access/issued-keys.js';
import { ContentModule } from '../content/content.module.js';
import { AccessWatch } from './access-watch.js';
import { KeyScopes } from './key-scopes.js';
import { KeyUses } from './key-uses.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';
import { entities } from './keys.tables.js';
import { KeyCache } from './key-cache.js';

/** API keys over the API. Global because the guard of every route asks for them. */
@Global()
@Module({
  imports: [ContentModule, TypeOrmModule.forFeature(entities)],
  controllers: [KeysController],
  providers: [AccessWatch, KeyScopes, KeyUses, KeysService, KeyCache, { provide: IssuedKeys, useExisting: KeyCache }],
  exports: [AccessWatch, IssuedKeys, KeyScopes],
})
export class KeysModule {}
