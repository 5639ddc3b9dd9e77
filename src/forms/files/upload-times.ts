import { Injectable } from '@nestjs/common';

/** How slowly a visitor may send files. A provider, so that tests can shorten the times. In milliseconds. */
@Injectable()
export class UploadTimes {
  /** An upload waits for this long for others of its address. It is less than `CLIENT_TIMEOUT`, because its body is not read meanwhile. */
  wait = 5_000;
  /** The time for the whole body. It is less than the time after which the sweeper removes files in progress. */
  whole = 15 * 60_000;
  /** While others wait for a place, the speed is looked at after this time. */
  grace = 30_000;
  /** The least average speed while others wait. */
  bytesPerSecond = 8 * 1024;
}
