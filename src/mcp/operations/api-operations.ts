import { Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ParamsFactory } from '@nestjs/core/helpers/external-context-creator.js';
import type { Request, Response } from 'express';
import type { Caller } from '../../http/caller.js';
import { toProblem } from '../../http/problem.filter.js';
import { type AskedOperation, CapturedResponse, indirectRequest } from './indirect-request.js';
import { methodOf, type Operation } from './operation.js';

/** What an operation answers: what its handler returns, or the text that it sends itself. */
interface OperationOutcome {
  answer: unknown;
  /** As the guards admitted it. */
  caller: Caller;
}

type Handler = (request: Request, response: Response) => Promise<unknown>;

/**
 * Runs operations of the API for a client that does not send their requests itself: with the guards, the pipes and the handlers of their routes, so that
 * every rule of the API holds. Throws what they throw.
 */
@Injectable()
export class ApiOperations {
  private readonly handlers = new Map<string, Handler>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly contexts: ExternalContextCreator,
  ) {}

  /** `own` is the client's request, with its key. */
  async run(own: Request, operation: Operation, asked: AskedOperation): Promise<OperationOutcome> {
    const request = indirectRequest(own, methodOf(operation), asked);
    const response = CapturedResponse.create();
    let returned: unknown;
    try {
      returned = await this.handlerOf(operation)(request, response);
    } catch (error) {
      throw refusalOf(error, request);
    }
    const answer = returned ?? response.body?.toString();
    if (!request.caller) throw new Error(`The operation ${operation.handler} admitted a request without a caller.`);
    return { answer, caller: request.caller };
  }

  private handlerOf({ controller, handler }: Operation): Handler {
    const name = `${controller.name}.${handler}`;
    const known = this.handlers.get(name);
    if (known) return known;
    const instance = this.modules.get<Record<string, (...args: unknown[]) => unknown>>(controller, { strict: false });
    const callback = instance[handler];
    if (!callback) throw new Error(`There is no operation ${name}.`);
    const created = this.contexts.create(
      instance,
      callback,
      handler,
      ROUTE_ARGS_METADATA,
      PARAMETERS,
      undefined,
      undefined,
      // An Idempotency-Key would belong to the client's own request, and what is thrown is for the caller of `run`.
      { guards: true, interceptors: false, filters: false },
      'http',
    ) as Handler;
    this.handlers.set(name, created);
    return created;
  }
}

/** What was wrong with the indirect request is told by it alone. Of a fault of the service, the log needs the error itself. */
function refusalOf(error: unknown, request: Request): unknown {
  const problem = toProblem(error, request);
  return problem.status < 500 ? problem : error;
}

/** What Nest's own decorators inject, by their type. */
const VALUES: Partial<Record<RouteParamtypes, (request: Request, response: Response) => unknown>> = {
  [RouteParamtypes.REQUEST]: (request) => request,
  [RouteParamtypes.RESPONSE]: (_request, response) => response,
  [RouteParamtypes.PARAM]: ({ params }) => params,
  [RouteParamtypes.QUERY]: ({ query }) => query,
  [RouteParamtypes.HEADERS]: ({ headers }) => headers,
};

/** Does what the router does. */
const PARAMETERS: ParamsFactory = {
  exchangeKeyForValue(type: RouteParamtypes, name: unknown, [request, response]: [Request, Response]): unknown {
    const read = VALUES[type];
    if (!read) throw new Error('The operation takes a parameter that only the router can inject.');
    const value = read(request, response);
    if (typeof name !== 'string') return value;
    return (value as Record<string, unknown>)[type === RouteParamtypes.HEADERS ? name.toLowerCase() : name];
  },
};
