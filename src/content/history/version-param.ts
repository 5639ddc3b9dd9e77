import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ProblemResponses } from '../../errors/problem-responses.js';
import { Problem } from '../../errors/problem.js';

const VERSION = /^[1-9]\d{0,8}$/;

const pipe: PipeTransform<string, number> = {
  transform(text) {
    if (!VERSION.test(text)) throw Problem.notFound('version');
    return Number(text);
  },
};

/** Injects the number of the version in the path. Throws 404 for anything else. */
export function VersionParam(): ParameterDecorator {
  const read = Param('version', pipe);
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    ApiParam({ name: 'version', description: 'The number of the version.', schema: { type: 'integer', minimum: 1 } })(
      target,
      method,
      descriptor,
    );
    ProblemResponses('not_found')(target, method, descriptor);
  };
}
