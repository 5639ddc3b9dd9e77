/** Checks that responses return the values as they were sent. */

/** Operations whose response contains the request's values unchanged under `fields`. */
const ECHOES = ['createEntry', 'updateEntry', 'saveDraft', 'submitForm', 'createContentType', 'createForm'];

export function echoFaults({ operation, flavour, body }, json, { status }) {
  if (flavour !== 'valid' || !ECHOES.includes(operation) || status >= 300 || !body?.text) return [];
  const { fields = {} } = JSON.parse(body.text);
  const answered = json?.data?.fields ?? {};
  const wrong = Object.entries(fields).filter(
    ([name, value]) => !isEcho(value, Object.hasOwn(answered, name) ? answered[name] : undefined),
  );
  return wrong.map(([name, value]) => ({
    kind: 'the response has another value than the request',
    text: `${name} was sent as ${shown(value)} and returned as ${shown(answered[name])}.`,
  }));
}

/** An empty optional value counts as missing. */
function isEcho(sent, answered) {
  if (answered === undefined && (sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0)))
    return true;
  return canonical(sent) === canonical(answered);
}

/** JSON with sorted property names. */
function canonical(value) {
  return JSON.stringify(value, (_name, one) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function shown(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
