/** The number of values that a property test tries: `quick`, and many times as many with `npm run test:all`. */
export function propertyRuns(quick: number): number {
  return quick * Number(process.env['PROPERTY_RUNS'] ?? 1);
}
