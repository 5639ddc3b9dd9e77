/** Says what the operator must change before the tables can be distributed. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
}
