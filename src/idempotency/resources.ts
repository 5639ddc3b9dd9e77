import { Injectable, type ParamData, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import type { Request, Response } from 'express';
import { ACCESS_RULE, type AccessRule } from '../access/access.js';
import { mayRead } from '../access/may-read.js';
import { parseId } from '../ids/type-id.js';

type Handler = (request: Request, response: Response) => Promise<unknown>;

/** Reads the parameters of a handler as the router does. */
const PARAMETERS = {
  exchangeKeyForValue: (kind: number, data: ParamData, [request, response]: readonly object[]): unknown =>
    new RouteParamsFactory().exchangeKeyForValue<object>(kind, data as string, {
      req: request ?? {},
      res: response,
      next: () => undefined,
    }),
};

interface Route {
  path: RegExp;
  rule: AccessRule;
  handler: Handler;
}

/** Reads resources by their paths, as their GET routes show them. */
@Injectable()
export class Resources {
  private routes?: readonly Route[];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly contexts: ExternalContextCreator,
  ) {}

  /** Whether a GET route has this path, and the caller of the request may read there. */
  isReadable(path: string, { caller, params }: Request): boolean {
    const rule = this.find(path)?.rule;
    if (!rule?.scopes) return rule !== undefined;
    const typeId = parseId('ct', String(params['content_type_id']));
    return caller !== undefined && mayRead(caller, { area: rule.area, typeId });
  }

  /** Returns the result of the GET route of the path, for the caller of the request. The guards of the route do not run. */
  async read(path: string, request: Request, response: Response): Promise<unknown> {
    const route = this.find(path);
    if (!route) throw new Error(`There is no resource at ${path}.`);
    const params = route.path.exec(path)?.groups ?? {};
    const changes = { method: 'GET', url: path, originalUrl: path, params, query: {}, headers: {} };
    const get = Object.create(request, Object.getOwnPropertyDescriptors(changes)) as Request;
    return route.handler(get, response);
  }

  private find(path: string): Route | undefined {
    this.routes ??= this.routesOfGet();
    return this.routes.find((route) => route.path.test(path));
  }

  private routesOfGet(): Route[] {
    const controllers = [...this.modules.values()].flatMap((module) => [...module.controllers.values()]);
    return controllers.flatMap(({ instance, metatype }) => {
      const controller = instance;
      const base = Reflect.getMetadata(PATH_METADATA, metatype as Type) as string;
      return methodsOf(controller).flatMap(({ name, method }) => {
        if (Reflect.getMetadata(METHOD_METADATA, method) !== RequestMethod.GET) return [];
        const path = patternOf(`${base}/${Reflect.getMetadata(PATH_METADATA, method) as string}`);
        const rule = (Reflect.getMetadata(ACCESS_RULE, method) ?? {}) as AccessRule;
        return { path, rule, handler: this.handlerOf(controller, name, method) };
      });
    });
  }

  private handlerOf(controller: object, name: string, method: (...args: unknown[]) => unknown): Handler {
    const without = { guards: false, interceptors: false, filters: false };
    return this.contexts.create(
      controller,
      method,
      name,
      ROUTE_ARGS_METADATA,
      PARAMETERS,
      undefined,
      undefined,
      without,
      'http',
    ) as Handler;
  }
}

function methodsOf(controller: object): { name: string; method: (...args: unknown[]) => unknown }[] {
  const prototype = Object.getPrototypeOf(controller) as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = name === 'constructor' ? undefined : prototype[name];
    return typeof method === 'function' ? { name, method: method as (...args: unknown[]) => unknown } : [];
  });
}

/** `v1/content/:tenant_id/` becomes an expression with a group for each parameter. */
function patternOf(path: string): RegExp {
  const trimmed = path.replace(/\/+/g, '/').replace(/^\/|\/$/g, '');
  return new RegExp(`^/${trimmed.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
