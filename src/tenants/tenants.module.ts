import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Limits } from './limits.js';
import { Tenants } from './tenants.js';
import { entities } from './tenants.tables.js';

@Module({ imports: [TypeOrmModule.forFeature(entities)], providers: [Tenants, Limits], exports: [Tenants, Limits] })
export class TenantsModule {}
