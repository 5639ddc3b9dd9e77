import { Injectable } from '@nestjs/common';

/** How slowly a visitor may send files. A provider, so that tests can shorten the times. In milliseconds. */
@Injectable()
export class UploadTimes {
  /** The time for the whole body. It is less than the time after which the sweeper removes files in progress. */
  whole = 15 * 60_000;
  /** The speed is looked at after this time. */
  grace = 30_000;
  /** The least average speed. */
  bytesPerSecond = 8 * 1024;
}
