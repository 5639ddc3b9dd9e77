import { AuditRecord } from './audit-record.entity.js';
import { Audit1763000008000 } from './migrations/1763000008000-audit.js';
import { AuditVia1763000016000 } from './migrations/1763000016000-audit-via.js';

export const entities = [AuditRecord];

export const migrations = [Audit1763000008000, AuditVia1763000016000];
