/**
 * Returns the number of edits that turn one word into the other, or `limit` + 1 if there are more. An edit inserts, removes or replaces a
 * character, or swaps two neighbours, and no character is edited twice (the optimal string alignment distance).
 */
export function editDistance(one: string, other: string, limit: number): number {
  const [a, b] = [codePoints(one), codePoints(other)];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
      least = Math.min(least, distance);
    }
    // A swap reaches back two rows, but costs at least as much as the least of the row between.
    if (least > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}

const ASTRAL = /[\ud800-\udfff]/;

function codePoints(text: string): number[] {
  if (ASTRAL.test(text)) return Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const points: number[] = [];
  for (let index = 0; index < text.length; index++) points.push(text.charCodeAt(index));
  return points;
}
