import { Injectable } from '@nestjs/common';

/** When submissions that are not stored are looked at. A provider, so that tests can shorten the times. In milliseconds. */
@Injectable()
export class UnstoredTimes {
  /** After a submission: most deliveries and emails are done by then. */
  first = 5_000;
  /** While deliveries and emails are not done. Submissions must be deleted within a minute of the last one. */
  again = 30_000;
  /** The age at which a submission is deleted in any case. */
  most = 86_400_000;
}
