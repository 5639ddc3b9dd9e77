/**
 * Patterns that are expensive for re2js within the size it may compile to: each letter leads to a state of its automaton that was not there
 * before, with hundreds of instructions in it. They end in a class, for a single letter would be looked for first. Measured on a text of
 * 2,000 characters: 50 to 370 ms each.
 */
export const EXPENSIVE = [
  '(x[xy]{900}|y[xy]{900}|x[xy]{600})[zw]',
  '(?:[xy]*x[xy]{400}|[xy]*y[xy]{500}|[xy]{900})[zw]',
  'x[xy]{990}[zw]|x[xy]{989}[zw]',
  '[xy]*x[xy]{980}[zw]',
  '(x{1,25}){1,40}[yq]',
];

/** Letters that all of the patterns go on with, and none ends with. */
export function randomText(length) {
  return Array.from({ length }, () => (Math.random() < 0.5 ? 'x' : 'y')).join('');
}
