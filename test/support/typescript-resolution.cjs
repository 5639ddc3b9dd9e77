/**
 * Jest compiles what a global set-up imports but doesn't map its paths: without this, `./a.js` would not find `a.ts` there, and
 * `trivet/a.js` would find the build.
 */
const Module = require('node:module');
const { join } = require('node:path');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const own = /^trivet\/(.*)\.js$/.exec(request)?.[1];
  if (own !== undefined) return resolve.call(this, join(module.path, `../../src/${own}.ts`), ...rest);
  try {
    return resolve.call(this, request, ...rest);
  } catch (error) {
    if (!/^\.{1,2}\/.*\.js$/.test(request)) throw error;
    return resolve.call(this, request.replace(/\.js$/, '.ts'), ...rest);
  }
};
