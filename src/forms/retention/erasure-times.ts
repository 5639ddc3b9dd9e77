import { Injectable } from '@nestjs/common';

/** A provider, so that tests can shorten it. In milliseconds. */
@Injectable()
export class ErasureTimes {
  /** A submission that was sent before the erasure was requested is committed within this time, or never. */
  late = 40_000;
}
