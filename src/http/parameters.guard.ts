import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Query } from './query.js';
import { checkParameters, OTHER_PARAMETERS, PARAMETERS } from './parameters.js';

/** Refuses query parameters that the route does not declare with `@Parameters`, unless it ignores them. */
@Injectable()
export class ParametersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.url.includes('?')) {
      const handler = context.getHandler();
      const names = this.reflector.get<readonly string[] | undefined>(PARAMETERS, handler) ?? [];
      const query = request.query as Query;
      const checked = this.reflector.get(OTHER_PARAMETERS, handler) ? only(names, query) : query;
      checkParameters(checked, names, request.url);
    }
    return true;
  }
}

function only(names: readonly string[], query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));
}
