import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';

/** An operation of the API, by its handler. */
export interface Operation {
  readonly controller: Type<object>;
  readonly handler: string;
}

export function operation<Controller extends object>(
  controller: Type<Controller>,
  handler: keyof Controller & string,
): Operation {
  return { controller, handler };
}

/** The function that carries the decorators. */
export function handlerOf({ controller, handler }: Operation): object {
  return (controller.prototype as Record<string, object>)[handler] as object;
}

/** The HTTP method of the operation's route. */
export function methodOf(one: Operation): string {
  return RequestMethod[Reflect.getMetadata(METHOD_METADATA, handlerOf(one)) as number] as string;
}
