import { AuditRecord } from './audit-record.entity.js';
import { Audit1763000008000 } from './migrations/1763000008000-audit.js';

export const entities = [AuditRecord];

export const migrations = [Audit1763000008000];
