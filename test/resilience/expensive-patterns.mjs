/**
 * Patterns that are expensive for re2js although they respect the size limit: each letter leads to a new state of the automaton with
 * hundreds of instructions. They end in a class, because re2js would first search for a single letter. Measured on a text of 2,000
 * characters: 50 to 370 ms each.
 */
export const EXPENSIVE = [
  '(x[xy]{900}|y[xy]{900}|x[xy]{600})[zw]',
  '(?:[xy]*x[xy]{400}|[xy]*y[xy]{500}|[xy]{900})[zw]',
  'x[xy]{990}[zw]|x[xy]{989}[zw]',
  '[xy]*x[xy]{980}[zw]',
  '(x{1,25}){1,40}[yq]',
];

/** Random letters that keep all patterns matching, but never complete a match. */
export function randomText(length) {
  return Array.from({ length }, () => (Math.random() < 0.5 ? 'x' : 'y')).join('');
}
