import type { InitializeHook, ResolveHook } from 'node:module';

/** A file of the package `trivet`, in whose name the imports are resolved. */
let own: string;

export const initialize: InitializeHook<string> = (url) => {
  own = url;
};

/** Resolves `trivet/…` in every package as in Trivet itself: by the `exports` of its package.json. */
export const resolve: ResolveHook = (specifier, context, next) =>
  specifier.startsWith('trivet/') ? next(specifier, { ...context, parentURL: own }) : next(specifier, context);
