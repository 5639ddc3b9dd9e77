import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACCESS_RULE, type AccessRule } from './access.js';

/** Refuses a request without an API key for a resource that is not public, even if other parts of the request are wrong. */
@Injectable()
export class PublicReadGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { caller, params } = context.switchToHttp().getRequest<Request>();
    if (!caller?.requireKey) return true;
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (!rule.exceptPublic) return caller.requireKey();
    const resources = this.modules.get(rule.exceptPublic, { strict: false });
    return resources.requirePublic(caller, params).then(() => true);
  }
}
