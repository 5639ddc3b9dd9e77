import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Tenants } from './tenants.js';
import { Tenant } from './tenant.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([Tenant])], providers: [Tenants], exports: [Tenants] })
export class TenantsModule {}
