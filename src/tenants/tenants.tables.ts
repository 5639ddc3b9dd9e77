import { Tenant } from './tenant.entity.js';
import { Tenants1763000000000 } from './migrations/1763000000000-tenants.js';

export const entities = [Tenant];

export const migrations = [Tenants1763000000000];
