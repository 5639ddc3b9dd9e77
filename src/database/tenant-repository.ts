import type { EntityTarget, EntityManager, FindOptionsOrder, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

interface OfTenant extends ObjectLiteral {
  tenantId: string;
}

/** Conditions on everything but the tenant, which is an argument of its own. */
export type Where<E> = {
  [Property in keyof FindOptionsWhere<E> as Exclude<Property, 'tenantId'>]?: FindOptionsWhere<E>[Property];
};

/** A repository whose every call demands the tenant: the rows of another one can't be named. */
export class TenantRepository<E extends OfTenant> {
  constructor(
    private readonly manager: EntityManager,
    private readonly entity: EntityTarget<E>,
  ) {}

  /** The row, or null; `lock` holds it until the transaction ends. */
  async findOne(tenantId: string, where: Where<E>, lock?: 'pessimistic_write'): Promise<E | null> {
    return this.manager.findOne(this.entity, {
      where: this.scope(tenantId, where),
      ...(lock && { lock: { mode: lock } }),
    });
  }

  async find(
    tenantId: string,
    where: Where<E>,
    page: { order: FindOptionsOrder<E>; take?: number; skip?: number },
  ): Promise<E[]> {
    return this.manager.find(this.entity, { where: this.scope(tenantId, where), ...page });
  }

  async count(tenantId: string, where: Where<E>): Promise<number> {
    return this.manager.count(this.entity, { where: this.scope(tenantId, where) });
  }

  async insert(row: E): Promise<void> {
    await this.manager.insert(this.entity, row);
  }

  /** How many rows changed. */
  async update(tenantId: string, where: Where<E>, changes: Partial<Omit<E, 'tenantId'>>): Promise<number> {
    const set = changes as QueryDeepPartialEntity<E>;
    return (await this.manager.update(this.entity, this.scope(tenantId, where), set)).affected ?? 0;
  }

  /** How many rows went. */
  async delete(tenantId: string, where: Where<E>): Promise<number> {
    return (await this.manager.delete(this.entity, this.scope(tenantId, where))).affected ?? 0;
  }

  private scope(tenantId: string, where: Where<E>): FindOptionsWhere<E> {
    return { ...where, tenantId };
  }
}
