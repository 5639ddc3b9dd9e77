import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../access/access.js';
import { isSameSecret } from '../access/secrets/same-secret.js';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { Health } from './health.js';
import { Metrics } from './metrics.js';

/** Endpoints for the operator: liveness, readiness and metrics. */
@ApiExcludeController()
@Controller()
export class OperationsController {
  constructor(
    private readonly config: Config,
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  @Get('health/live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @Public()
  async ready(): Promise<{ status: string }> {
    return { status: await this.health.readiness() };
  }

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async show(@Req() request: Request): Promise<string> {
    this.assertMayScrape(request);
    return this.metrics.text();
  }

  /** Requires the token. Without one only loopback clients have access, and in production none: a local proxy would be such a client. */
  private assertMayScrape({ headers, socket }: Request): void {
    const { metricsToken, production } = this.config;
    if (metricsToken) {
      if (isSameSecret(headers.authorization ?? '', `Bearer ${metricsToken}`)) return;
      throw new Problem(
        'unauthorized',
        'Send the metrics token in the header Authorization: Bearer <token>.',
        undefined,
        {
          'WWW-Authenticate': 'Bearer',
        },
      );
    }
    const local = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
    if (production || !local || headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
      throw Problem.notFound('page');
    }
  }
}
