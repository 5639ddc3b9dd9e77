/** Path parameters: IDs of existing resources for valid requests, and wrong ones for hostile requests. */
import fc from 'fast-check';
import { hostileText } from './json.mjs';

/** The values of each path parameter. Each parameter of the document must be listed here. */
const SOURCES = {
  tenant_id: { there: '{{tenant}}' },
  content_type_id: { there: '{{type.every}}', fresh: '{{new.type}}', foreign: '{{other.type}}', prefix: 'ct' },
  entry_id: { there: '{{entry.every.0}}', fresh: '{{new.entry.every}}', foreign: '{{other.entry}}', prefix: 'ent' },
  form_id: { there: '{{form.every}}', fresh: '{{new.form}}', foreign: '{{other.form}}', prefix: 'frm' },
  submission_id: { there: '{{submission.every}}', fresh: '{{new.submission.every}}', prefix: 'sub' },
  file_id: { there: '{{upload.file}}', prefix: 'fil' },
  erasure_id: { there: '{{erasure}}', prefix: 'era' },
  media_id: { there: '{{media.png}}', fresh: '{{new.media.png}}', foreign: '{{other.media}}', prefix: 'med' },
  file: { there: '{{file.png}}', foreign: '{{other.file}}', prefix: 'med' },
  webhook_id: { there: '{{webhook}}', fresh: '{{new.webhook}}', foreign: '{{other.webhook}}', prefix: 'wh' },
  user_id: { there: '{{member}}', fresh: '{{new.member}}', prefix: 'usr' },
  role_id: { there: '{{role}}', fresh: '{{new.role}}', prefix: 'rol' },
  invitation_token: { there: '{{new.invitation}}', prefix: 'ten' },
  provider: { there: 'fuzz' },
  session_id: { there: '{{new.account.session}}', prefix: 'ses' },
  passkey_id: { there: '{{random.psk}}', prefix: 'psk' },
  key_id: { there: '{{new.key}}', prefix: 'key' },
  token: { there: '{{preview}}', prefix: 'ten' },
  version: { there: '1' },
  field: { there: 'title' },
  value: { there: '{{title}}' },
  change_id: { there: '{{change}}', prefix: 'chg' },
  purge_id: { there: '{{random.pur}}', prefix: 'pur' },
  code: { there: 'en' },
  delivery_id: { there: '{{new.delivery}}', foreign: '{{other.delivery}}', prefix: 'dlv' },
};

/** Changes and deletions use a resource created for them, so that the others stay unchanged. */
const CHANGES = ['PUT', 'PATCH', 'DELETE'];

/** The values of an operation's path parameters for existing resources. */
export function validIds({ method, inPath }) {
  return inPath.map(({ name }, index) => {
    const source = SOURCES[name];
    if (!source) throw new Error(`test/fuzz/generators/ids.mjs has no value for the path parameter ${name}.`);
    const isChanged = CHANGES.includes(method) && index === inPath.length - 1;
    return [name, isChanged ? (source.fresh ?? source.there) : source.there];
  });
}

/** The path of an operation with these IDs. */
export function pathOf(operation, ids) {
  return ids.reduce((path, [name, value]) => path.replace(`{${name}}`, () => value), operation.path);
}

/** IDs without a resource: {value, expect}, with `expect` where the status is certain. */
function wrongIds(name) {
  const { foreign, prefix = 'ten', there } = SOURCES[name];
  const certain = [foreign, `{{random.${prefix}}}`]
    .filter((value) => value && prefix !== 'ten')
    .map((value) => ({ value, expect: [404] }));
  const odd = [
    `${there}x`,
    `${there}%00`,
    `${there}%20`,
    `x${there}`,
    `%2e%2e%2f${there}`,
    '%2e%2e',
    '..',
    '.',
    '%2F',
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '%u0041',
    `${prefix}_`,
    `${prefix}_${'7'.repeat(26)}`,
    `${prefix}_${'z'.repeat(26)}`,
    `${prefix}_${'0'.repeat(26)}`,
    `${prefix}_${'0'.repeat(25)}`,
    `${prefix}_${'I'.repeat(26)}`,
    `${prefix.toUpperCase()}_01K47KRPKYFGYRMPSFDME9WJVT`,
    '01990f3c-5a7e-7c3d-8a5b-2f6d1c9e4b7a',
    '__proto__',
    'constructor',
    'null',
    '*',
    ';a=b',
    `${there};a=b`,
    `${there}.json`,
    'a'.repeat(4_000),
    'a'.repeat(15_000),
    '%61'.repeat(2_000),
  ].map((value) => ({ value }));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...certain, ...odd) },
    { weight: 1, arbitrary: hostileText.map((text) => ({ value: encode(text.slice(0, 500)) || '%20' })) },
  );
}

/** Changes one ID: {ids, expect}. */
export function mutatedIds(ids) {
  if (ids.length === 0) return fc.constant({ ids });
  // Prefer the last ID: a wrong tenant is rejected before the other IDs are checked.
  return fc.nat(ids.length * 2).chain((choice) => {
    const index = Math.min(choice, ids.length - 1);
    const [name] = ids[index];
    return wrongIds(name).map(({ value, expect }) => ({
      ids: ids.map((pair, at) => (at === index ? [name, value] : pair)),
      expect,
    }));
  });
}

/** Unusual spellings of a path. */
export function mutatedPath(path) {
  return fc.constantFrom(
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.replace('/v1', '/V1'),
    path.replace('/v1', '/v2'),
    path.replace('/v1', '//v1'),
    path.replace('/v1/', '/v1/../v1/'),
    path.replace('/v1/', '/v1%2f'),
    path.replace('/v1', '/%76%31'),
    path.replaceAll('/', '\\'),
    `${path}#fragment`,
    `${path};a=b`,
    `${path}/more`,
    `${path}%`,
    `${path}x`,
    `http://{{host}}${path}`,
    `http://evil.example${path}`,
    `https://other.example${path}`,
  );
}

/** Percent-encodes any text, even with lone surrogates. */
export function encode(text) {
  return [...Buffer.from(text)]
    .map((byte) =>
      /[A-Za-z0-9_.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}
