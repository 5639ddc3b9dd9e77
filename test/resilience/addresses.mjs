/**
 * On Linux every address of 127.0.0.0/8 belongs to this machine. Each participant has its own, so that limits per address tell them apart,
 * with and without a proxy.
 */
export const VICTIM = '127.0.0.2';
export const PROBE = '127.0.0.3';

/** The addresses of the victim's visitors. Each submits a few times. */
export function visitorAddress(number) {
  return `127.10.${(number >> 8) & 255}.${number & 255}`;
}

export function attackerAddress(number = 0) {
  return `127.66.${(number >> 7) & 255}.${1 + (number & 127)}`;
}

export function strangerAddress(number) {
  return `127.77.${(number >> 8) & 255}.${number & 255}`;
}
