import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { OpenSession } from '../../http/open-session.js';
import { formatId, timeOf } from '../../ids/type-id.js';
import { EndedSessions } from '../sessions/ended-sessions.js';
import { SessionHolders } from '../sessions/session-holders.js';
import { LIST_SESSIONS, type SessionRow } from '../sessions/sessions.sql.js';
import type { MeDto, MySessionDto, UpdateMeDto } from './me.dto.js';
import { presentMe } from './me-presenter.js';
import { MyAccount } from './my-account.js';

@Injectable()
export class MeService {
  constructor(
    private readonly database: Database,
    private readonly holders: SessionHolders,
    private readonly ended: EndedSessions,
    private readonly account: MyAccount,
  ) {}

  async get(session: OpenSession): Promise<MeDto> {
    const holder = await this.holders.of(session);
    if (!holder) throw Problem.notSignedIn('The session has ended. Sign in again.');
    return presentMe(holder);
  }

  async update(request: Request, session: OpenSession, dto: UpdateMeDto): Promise<MeDto> {
    await this.account.update(request, session, dto);
    return this.get(session);
  }

  async sessions(session: OpenSession): Promise<MySessionDto[]> {
    const { id } = session;
    return (await this.visible(session)).map((row) => ({
      id: formatId('ses', row.id),
      created_at: timeOf(row.id).toISOString(),
      last_seen_at: row.lastSeenAt,
      browser: row.browser,
      current: row.id === id,
    }));
  }

  /** Ends one of the person's sessions. Throws a 404 for one of somebody else. */
  async endSession(session: OpenSession, id: string): Promise<void> {
    const rows = await this.visible(session);
    if (!rows.some((row) => row.id === id)) throw Problem.notFound('session');
    await this.ended.end({ id, personId: session.personId });
  }

  /** A session that a provider began learns nothing of those that enter other tenants. */
  private async visible({ personId = '', provider }: OpenSession): Promise<SessionRow[]> {
    const rows = await this.database.withoutTenants(LIST_SESSIONS, { personId });
    return rows.filter((row) => provider === undefined || row.provider === provider);
  }
}
