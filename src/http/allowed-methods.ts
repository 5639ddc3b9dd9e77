import type { Application, Request } from 'express';

/** The part of Express's router that is read here. */
interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** Returns the methods that routes support at the request's path. Empty if no route has the path. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as Application & { router: { stack: Layer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
