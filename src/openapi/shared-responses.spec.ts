import { PROBLEM_CODES } from '../errors/problem-responses.js';
import type { DocumentedOperation } from './operations.js';
import { shareProblemResponses } from './shared-responses.js';

const operationOf = (codes: Record<number, string[]>, description?: string) =>
  ({
    description,
    responses: {
      200: { description: 'It succeeded.' },
      ...Object.fromEntries(Object.entries(codes).map(([status, ofStatus]) => [status, { [PROBLEM_CODES]: ofStatus }])),
    },
  }) as unknown as DocumentedOperation;

describe('shareProblemResponses', () => {
  it('replaces the problem responses of all operations by one for each status', () => {
    const operations = [
      operationOf({ 404: ['not_found'] }),
      operationOf({ 404: ['not_found'], 429: ['rate_limited'] }),
    ];
    const { responses, codes } = shareProblemResponses(operations);
    expect(codes).toEqual(['not_found', 'rate_limited']);
    expect(Object.keys(responses)).toEqual(['NotFound', 'TooManyRequests']);
    expect(responses['TooManyRequests']).toMatchObject({ headers: { 'Retry-After': {} } });
    expect(operations.map(({ responses: { 200: success, ...problems } }) => [success, problems])).toEqual([
      [{ description: 'It succeeded.' }, { 404: { $ref: '#/components/responses/NotFound' } }],
      [
        { description: 'It succeeded.' },
        { 404: { $ref: '#/components/responses/NotFound' }, 429: { $ref: '#/components/responses/TooManyRequests' } },
      ],
    ]);
  });

  it('lists the codes of each operation, in the order of the codes', () => {
    const operation = operationOf({ 404: ['not_found'], 400: ['unknown_parameter', 'malformed_json'] });
    shareProblemResponses([operation]);
    expect(operation[PROBLEM_CODES]).toEqual(['malformed_json', 'unknown_parameter', 'not_found']);
  });

  it('describes the codes of a status that has several, and no others', () => {
    const operations = [
      operationOf({ 400: ['unknown_parameter', 'malformed_json'] }, 'Creates it.'),
      operationOf({ 404: ['not_found'] }, 'Gets it.'),
    ];
    shareProblemResponses(operations);
    expect(operations.map(({ description }) => description)).toEqual([
      'Creates it.\n\nA 400 response has the code [`malformed_json`](/problems/malformed_json) or [`unknown_parameter`](/problems/unknown_parameter).',
      'Gets it.',
    ]);
  });

  it('has an example of each code that is in use, and of no other', () => {
    const { responses } = shareProblemResponses([
      operationOf({ 400: ['malformed_json'] }),
      operationOf({ 400: ['unknown_field'] }),
    ]);
    const content = (responses['BadRequest'] as { content?: Record<string, { examples?: object }> }).content;
    expect(Object.keys(content?.['application/problem+json']?.examples ?? {})).toEqual([
      'malformed_json',
      'unknown_field',
    ]);
  });
});
