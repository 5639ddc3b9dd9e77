/** One of several database servers does not answer. `isPartAway` is true of it, as of the errors that Citus reports. */
export class PartAway extends Error {
  override readonly name = 'PartAway';
  readonly code = '08006';
  readonly severity = 'ERROR';

  constructor() {
    super('A database server does not answer.');
  }
}
