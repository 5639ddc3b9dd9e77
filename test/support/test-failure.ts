declare global {
  // The environment of Jest (`jest/environment.mjs`) calls it.
  var describeTestFailure: (() => Promise<string[]>) | undefined;
}

/** Sets what is added to the message of a test that fails in this file. */
export function onTestFailure(describe: (() => Promise<string[]>) | undefined): void {
  globalThis.describeTestFailure = describe;
}
