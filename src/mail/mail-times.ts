import { Injectable } from '@nestjs/common';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The time limits for sending emails, in milliseconds. A provider, so that tests can shorten them. */
@Injectable()
export class MailTimes {
  /** The pauses after failed attempts, about a day in total. If the attempt after the last pause fails, the email has failed. */
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
  /** Time-out of an attempt. A mail server may take long to check a message, and giving up too early would send the email twice. */
  attempt = 75 * SECOND;
  /** How long a claim on an email lasts if its worker dies. It is longer than an attempt, so that no email is sent twice at once. */
  lease = 90 * SECOND;
  /** Time for running attempts to finish when the process stops. */
  grace = 10 * SECOND;
}
