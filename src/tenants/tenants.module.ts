import { Global, Module } from '@nestjs/common';
import { Tenants } from './tenants.js';

@Global()
@Module({ providers: [Tenants], exports: [Tenants] })
export class TenantsModule {}
