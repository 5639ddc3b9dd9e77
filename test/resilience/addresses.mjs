/**
 * Every address of 127.0.0.0/8 is this machine's on Linux. Whoever acts here has one of their own, so that limits by address tell them
 * apart, with and without a proxy in front.
 */
export const VICTIM = '127.0.0.2';
export const PROBE = '127.0.0.3';

/** Of the victim's visitors: each submits a few times. */
export function visitorAddress(number) {
  return `127.10.${(number >> 8) & 255}.${number & 255}`;
}

export function attackerAddress(number = 0) {
  return `127.66.${(number >> 7) & 255}.${1 + (number & 127)}`;
}

export function strangerAddress(number) {
  return `127.77.${(number >> 8) & 255}.${number & 255}`;
}
