import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { replaceUnstorableSliced } from '../../http/bodies/storable-values.js';
import type { Query } from '../../http/query.js';
import { suggestionOrList } from '../../validation/suggestion.js';
import type { Arguments, Tool } from './tool.js';
import { MAX_RECORDS } from './tool-schemas.js';

/** At most this many unknown arguments are listed. */
const MAX_UNKNOWN = 20;

/**
 * Sorts the arguments of a call by where the operation takes them. Throws a 422 for arguments that the tool does not have, or lacks. The operation checks
 * the values.
 */
export async function readToolArguments(
  tool: Tool,
  sent: Record<string, unknown>,
  { tenantId, bytes }: { tenantId: string; bytes: number },
): Promise<Arguments> {
  const unstorable = await heavyWork.runIf(isHeavy(bytes), tenantId, replaceUnstorableSliced(sent));
  // Assistants write null for what they leave out.
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const errors = [...unstorable, ...unknownArguments(tool, sent), ...faultsOfPath(tool, given)];
  if (errors.length > 0) throw Problem.invalid(errors);
  const query = queryOf(tool, given);
  checkPerPage(query);
  return {
    path: Object.fromEntries(
      Object.entries(tool.path).flatMap(([name, { argument }]) =>
        given[argument] === undefined ? [] : [[name, given[argument] as string]],
      ),
    ),
    query,
    body: picked(given, tool.body ?? []),
    own: picked(given, Object.keys(tool.own ?? {})),
  };
}

function argumentsOf({ path, query = {}, body = [], own = {} }: Tool): string[] {
  const ofPath = Object.values(path).map(({ argument }) => argument);
  return [...new Set([...ofPath, ...Object.keys(query), ...body, ...Object.keys(own)])];
}

function unknownArguments(tool: Tool, given: Record<string, unknown>): ValueError[] {
  const known = argumentsOf(tool);
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const path = name.slice(0, 100);
    const message = `${path} is not an argument of this tool.${suggestionOrList(name, known)}`;
    return { path, code: 'unknown_property', message };
  });
}

function faultsOfPath({ path }: Tool, given: Record<string, unknown>): ValueError[] {
  return Object.values(path).flatMap(({ argument, isOptional }): ValueError[] => {
    const value = given[argument];
    if (value === undefined) {
      return isOptional ? [] : [{ path: argument, code: 'required', message: `${argument} is required.` }];
    }
    return typeof value === 'string'
      ? []
      : [{ path: argument, code: 'type', message: `${argument} must be a string.` }];
  });
}

function queryOf({ query = {} }: Tool, given: Record<string, unknown>): Query {
  return Object.fromEntries(
    Object.entries(query).flatMap(([argument, name]) => {
      const value = given[argument];
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}

/** The operation checks everything else of the page. */
function checkPerPage({ per_page: perPage }: Query): void {
  if (typeof perPage === 'string' && Number(perPage) > MAX_RECORDS) {
    throw Problem.parameter('per_page', `per_page must be an integer from 1 to ${MAX_RECORDS}.`);
  }
}

function picked(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]]] : [])));
}
