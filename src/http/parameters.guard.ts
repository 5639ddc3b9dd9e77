import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Query } from './query.js';
import { checkParameters, PARAMETERS } from './parameters.js';

/** Refuses query parameters that the route does not declare with `@Parameters`. */
@Injectable()
export class ParametersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.url.includes('?')) {
      const names = this.reflector.get<readonly string[] | undefined>(PARAMETERS, context.getHandler()) ?? [];
      checkParameters(request.query as Query, names, request.url);
    }
    return true;
  }
}
