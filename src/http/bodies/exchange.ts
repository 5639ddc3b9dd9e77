import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** A request and its response, for a pipe that reads the body in its own way. */
export interface HttpExchange {
  request: Request;
  response: Response;
}

export const WithExchange = createParamDecorator((_data: unknown, context: ExecutionContext): HttpExchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});
