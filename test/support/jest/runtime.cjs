/**
 * Jest's runtime for tests that run as plain modules of Node. Jest's own would compile and execute the service and its packages again for
 * each test file, which takes longer than most tests. Here the files that a process runs share its modules, as they share its globals.
 */
const { register } = require('node:module');
const process = require('node:process');
const { pathToFileURL } = require('node:url');
const { frameworkAt } = require('./framework.cjs');

/** Where Jest keeps the time-out of tests that set none. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

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
    globalThis.jest = this.jestObject();
  }

  setGlobalsForRuntime() {}

  requireInternalModule(path) {
    return frameworkAt(path);
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
