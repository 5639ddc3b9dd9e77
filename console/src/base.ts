/** The path of the service, without a slash at its end: empty unless a proxy serves it below a path. */
export const BASE = new URL(import.meta.url).pathname.replace(/\/console\/(?:assets|src)\/[^/]*$/, '');

/** The path that all addresses of the console begin with. */
export const CONSOLE = `${BASE}/console`;
