import { parseUrl } from '../validation/parse-url.js';

interface RedisNode {
  host: string;
  port: number;
}

/** Where `REDIS_URL` leads: to one server, to the master that sentinels name, or to a cluster. */
type RedisPlace =
  | { kind: 'server' }
  | ({ kind: 'sentinel'; master: string; db: number } & SeveralNodes)
  | ({ kind: 'cluster' } & SeveralNodes);

interface SeveralNodes {
  /** The sentinels, or some nodes of the cluster. */
  nodes: RedisNode[];
  username?: string;
  password?: string;
  /** Whether connections use TLS. */
  isSecure: boolean;
}

const SERVER = /^rediss?:\/\/./;
const SEVERAL =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^@/?#]+)(?:\/(?<master>[\w.-]+)(?:\/(?<db>\d{1,5}))?)?\/?$/;
const PORTS = { sentinel: 26_379, cluster: 6_379 };

/**
 * Reads `redis://host`, `redis+sentinel://host,host/master/db` or `redis+cluster://host,host`, with `rediss` for TLS. Returns undefined if it is
 * none of them.
 */
export function parseRedisUrl(text: string): RedisPlace | undefined {
  if (SERVER.test(text)) return { kind: 'server' };
  const { tls, kind, user, password, nodes = '', master, db = '0' } = SEVERAL.exec(text)?.groups ?? {};
  if (kind !== 'sentinel' && kind !== 'cluster') return undefined;
  const parsed = nodes.split(',').map((node) => parseNode(node.trim(), PORTS[kind]));
  if (!parsed.every((node) => node !== undefined)) return undefined;
  const several = {
    nodes: parsed,
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    isSecure: tls === 's',
  };
  if (kind === 'cluster') return master === undefined ? { kind, ...several } : undefined;
  return master === undefined ? undefined : { kind, ...several, master, db: Number(db) };
}

function parseNode(text: string, port: number): RedisNode | undefined {
  const { hostname = '', port: given } = parseUrl(`redis://${text}`) ?? {};
  return hostname === '' ? undefined : { host: hostname.replace(/^\[|\]$/g, ''), port: given ? Number(given) : port };
}
