/** Tests the judge: it must report each known fault, and none in a correct response. */
const MISSING = {
  type: '/problems/not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'There is no such form.',
  request_id: 'r1',
};

/** The faults that the judge misses, as texts. */
export function blindSpots(judge) {
  const path = '/v1/content/ten_a/types/ct_a';
  const sent = { operation: 'getContentType', flavour: 'near', method: 'GET', path };
  const type = {
    id: 'ct_a',
    name: 'A',
    slug: 'a',
    fields: [{ name: 'a', type: 'text' }],
    created_at: '2026-01-31T09:30:00.000Z',
  };
  const good = answerOf(200, { data: type });
  const missing = answerOf(404, MISSING);
  const wrong = {
    'a status of 500': [
      sent,
      answerOf(500, { ...MISSING, status: 500, code: 'internal_error', type: '/problems/internal_error' }),
    ],
    'an undocumented status': [sent, answerOf(201, { data: type })],
    'an additional property': [sent, answerOf(200, { data: { ...type, more: 1 } })],
    'a missing property': [sent, answerOf(200, { data: {} })],
    'an undocumented content type': [sent, answerOf(200, { data: type }, { 'content-type': 'text/html' })],
    'an undocumented code': [sent, answerOf(404, { ...MISSING, code: 'conflict', type: '/problems/conflict' })],
    'a problem with another status': [sent, answerOf(404, { ...MISSING, status: 400 })],
    'no X-Request-Id': [sent, answerOf(200, { data: type }, { 'x-request-id': undefined })],
    'a stack': [sent, answerOf(404, { ...MISSING, detail: 'Error\n    at f (/app/x.js:1:1)' })],
    'a statement': [sent, answerOf(404, { ...MISSING, detail: 'duplicate key value violates' })],
    'a secret': [sent, answerOf(200, { data: { ...type, name: judge.secrets[0] } })],
    'the rejection of a valid request': [{ ...sent, flavour: 'valid', expect: 'success' }, missing],
    'the success of a forbidden request': [{ ...sent, expect: [403] }, good],
  };
  const found = Object.entries(wrong).filter(
    ([, [request, answer]]) => judge.faultsOf(request, path, answer).length === 0,
  );
  const blind = found.map(([what]) => `the judge does not report ${what}`);
  for (const answer of [good, missing]) {
    const faults = judge.faultsOf(sent, path, answer).map(({ text }) => text);
    if (faults.length > 0) blind.push(`the judge reports a fault in a correct response: ${faults.join(' ')}`);
  }
  return blind;
}

function answerOf(status, body, headers = {}) {
  const all = {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    'x-request-id': 'r1',
    ...headers,
  };
  const known = Object.entries(all).filter(([, value]) => value !== undefined);
  return {
    status,
    headers: new Map(known.map(([name, value]) => [name, [value]])),
    body: Buffer.from(JSON.stringify(body)),
    ms: 1,
  };
}
