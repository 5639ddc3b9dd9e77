import { Injectable } from '@nestjs/common';

/** A provider, so that tests can shorten it. In milliseconds. */
@Injectable()
export class ErasureTimes {
  /** A submission that was sent before the erasure was requested is committed within this time, or never. */
  late = 40_000;
  /** A done erasure can be read for this time. */
  kept = 30 * 86_400_000;
}
