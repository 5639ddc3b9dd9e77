import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PublicUrl } from '../http/public-url.js';
import { FileUrls } from './file-urls.js';
import { Limits } from './limits.js';
import { Tenants } from './tenants.js';
import { entities } from './tenants.tables.js';

@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  providers: [FileUrls, Limits, PublicUrl, Tenants],
  exports: [FileUrls, Limits, Tenants],
})
export class TenantsModule {}
