/**
 * Jest's framework, which defines `it` and the like, and keeps the tests that they define. All files of a process have the same functions,
 * because modules that they share may keep them (`const itOnPlain = it`). What the framework keeps begins anew with each file.
 */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

let framework;
let stateKey;
let ownListeners;

/** Returns the framework, without tests and listeners of an earlier file. */
exports.frameworkAt = (path) => {
  if (framework) {
    // Those of an earlier file would listen to the tests of each later one.
    globalThis[LISTENERS].length = ownListeners;
    globalThis[stateKey] = newState(path);
  } else {
    framework = require(path);
    stateKey = stateKeys()[0];
    ownListeners = globalThis[LISTENERS].length;
  }
  return framework;
};

/** The state of a second copy of the framework. It offers no other way to make one. */
function newState(path) {
  const module = require.cache[path];
  delete require.cache[path];
  require(path);
  require.cache[path] = module;
  const key = stateKeys().find((one) => one !== stateKey);
  const state = globalThis[key];
  delete globalThis[key];
  return state;
}

function stateKeys() {
  return Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === 'JEST_STATE_SYMBOL');
}
