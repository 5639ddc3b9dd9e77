import { Injectable } from '@nestjs/common';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long everything about a mail takes at most, in milliseconds. A provider, so that tests can be quicker. */
@Injectable()
export class MailTimes {
  /** The pauses after each refused attempt, a day in all; after the last one the mail has failed. */
  schedule: readonly number[] = [
    20 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    1 * HOUR,
    3 * HOUR,
    6 * HOUR,
    13 * HOUR,
  ];
  /** A mail server may look at a message for long before it takes it; to give up too early is to send it twice. */
  attempt = 75 * SECOND;
  /** How long a worker that died holds a mail: longer than an attempt, so that none is sent twice at once. */
  lease = 90 * SECOND;
  /** What attempts under way are given to finish when the process stops. */
  grace = 10 * SECOND;
}
