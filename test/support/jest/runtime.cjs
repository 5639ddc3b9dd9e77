/**
 * Jest's runtime for tests that run as plain modules of Node. Jest's own would compile and execute the service and its packages again for
 * each test file, which takes longer than most tests. Here the files that a process runs share its modules, as they share its globals.
 */
const { register } = require('node:module');
const process = require('node:process');
const { pathToFileURL } = require('node:url');

/** Where Jest keeps the time-out of tests that set none. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Where Jest's framework keeps its listeners. Those of an earlier file would listen to the tests of each later one. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

process.setSourceMapsEnabled(true);
register(pathToFileURL(require.resolve('../../../scripts/typescript.mjs')).href);

let files = 0;

class PlainRuntime {
  constructor(config, environment) {
    this.config = config;
    this.environment = environment;
    // Each test file's set-up is imported anew, because it registers hooks.
    this.query = `?${files++}`;
    delete globalThis[TIMEOUT];
    delete globalThis[LISTENERS];
    globalThis.jest = this.jestObject();
  }

  setGlobalsForRuntime() {}

  /** The framework keeps the tests of one file, so each file has its own. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href + this.query);
  }

  enterTestCode() {}
  leaveTestCode() {}

  /** Node maps the positions. */
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }

  teardown() {}

  jestObject() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.environment;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => (mocker.restoreAllMocks(), jest),
      setTimeout: (ms) => ((globalThis[TIMEOUT] = ms), jest),
      useFakeTimers: (options) => (timers.useFakeTimers(options), jest),
      useRealTimers: () => (timers.useRealTimers(), jest),
      setSystemTime: (now) => timers.setSystemTime(now),
      getTimerCount: () => timers.getTimerCount(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      advanceTimersToNextTimerAsync: (steps) => timers.advanceTimersToNextTimerAsync(steps),
    };
    return jest;
  }
}

module.exports = PlainRuntime;
