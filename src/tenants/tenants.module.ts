import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Tenants } from './tenants.js';
import { entities } from './tenants.tables.js';

@Module({ imports: [TypeOrmModule.forFeature(entities)], providers: [Tenants], exports: [Tenants] })
export class TenantsModule {}
