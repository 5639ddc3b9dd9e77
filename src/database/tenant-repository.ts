import type { EntityTarget, EntityManager, FindOptionsOrder, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

export interface OfTenant extends ObjectLiteral {
  tenantId: string;
}

/** Conditions on all properties except the tenant, which is a separate argument. */
type RowFilter<E> = {
  [Property in keyof FindOptionsWhere<E> as Exclude<Property, 'tenantId'>]?: FindOptionsWhere<E>[Property];
};

/** Runs `work` on a connection from the tenant's share, or on that of the transaction. */
type Run = <Result>(
  tenantId: string,
  kind: 'read' | 'write',
  work: (manager: EntityManager) => Promise<Result>,
) => Promise<Result>;

/** A repository that requires the tenant in every call, so that it cannot reach the rows of another tenant. */
export class TenantRepository<E extends OfTenant> {
  constructor(
    private readonly entity: EntityTarget<E>,
    private readonly run: Run,
  ) {}

  /** Returns the row or null. `lock` locks it until the transaction ends. */
  async findOne(tenantId: string, where: RowFilter<E>, lock?: 'pessimistic_write'): Promise<E | null> {
    return this.run(tenantId, lock ? 'write' : 'read', (manager) =>
      manager.findOne(this.entity, { where: this.scope(tenantId, where), ...(lock && { lock: { mode: lock } }) }),
    );
  }

  async find(
    tenantId: string,
    where: RowFilter<E>,
    page: { order: FindOptionsOrder<E>; take?: number; skip?: number },
  ): Promise<E[]> {
    return this.run(tenantId, 'read', (manager) =>
      manager.find(this.entity, { where: this.scope(tenantId, where), ...page }),
    );
  }

  async count(tenantId: string, where: RowFilter<E>): Promise<number> {
    return this.run(tenantId, 'read', (manager) => manager.count(this.entity, { where: this.scope(tenantId, where) }));
  }

  async insert(row: E): Promise<void> {
    await this.run(row.tenantId, 'write', (manager) => manager.insert(this.entity, row));
  }

  /** Returns the number of changed rows. The columns that find the rows keep their values, so `changes` may be a whole record. */
  async update(tenantId: string, where: RowFilter<E>, changes: Partial<E>): Promise<number> {
    const keys = new Set(['tenantId', ...Object.keys(where)]);
    const changed = Object.entries(changes).filter(([name]) => !keys.has(name));
    const set = Object.fromEntries(changed) as QueryDeepPartialEntity<E>;
    const { affected } = await this.run(tenantId, 'write', (manager) =>
      manager.update(this.entity, this.scope(tenantId, where), set),
    );
    return affected ?? 0;
  }

  /** Returns the number of deleted rows. */
  async delete(tenantId: string, where: RowFilter<E>): Promise<number> {
    const { affected } = await this.run(tenantId, 'write', (manager) =>
      manager.delete(this.entity, this.scope(tenantId, where)),
    );
    return affected ?? 0;
  }

  private scope(tenantId: string, where: RowFilter<E>): FindOptionsWhere<E> {
    return { ...where, tenantId };
  }
}
