import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { type Eraser, EventErasure, type Forgotten } from '../events/event-erasure.js';
import { ERASE_ANSWERS } from './stored-responses.sql.js';

/** Removes what stored responses show of erased resources. The keys stay, so that no request is carried out again. */
@Injectable()
export class AnswerErasure implements Eraser, OnModuleInit {
  readonly name = 'answers';

  constructor(private readonly erasure: EventErasure) {}

  onModuleInit(): void {
    this.erasure.register(this);
  }

  async erase(transaction: Transaction, tenantId: string, { resourceIds }: Forgotten): Promise<number> {
    return (await transaction.query(tenantId, ERASE_ANSWERS, { resourceIds })).length;
  }
}
