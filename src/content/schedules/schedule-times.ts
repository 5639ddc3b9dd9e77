import type { ValueError } from '../../errors/problem.js';
import { timestampOf } from '../../fields/formats/calendar.js';

/** The times of a schedule as ISO 8601 in UTC, or null. */
interface ScheduleTimes {
  publishAt: string | null;
  unpublishAt: string | null;
}

type Sent = { publish_at?: string; unpublish_at?: string };

const NAMES = ['publish_at', 'unpublish_at'] as const;

/** Reads the times of a body whose form was checked, and returns an error for each rule that they break. `now` is in milliseconds. */
export function readTimes(sent: Sent, now: number): { times: ScheduleTimes; errors: ValueError[] } {
  const at = { publish_at: instant(sent.publish_at), unpublish_at: instant(sent.unpublish_at) };
  const errors: ValueError[] = [];
  if (sent.publish_at === undefined && sent.unpublish_at === undefined) {
    errors.push({ path: 'publish_at', code: 'required', message: 'publish_at or unpublish_at is required.' });
  }
  for (const name of NAMES) {
    const time = at[name];
    if (time && time.getTime() <= now) {
      errors.push({ path: name, code: 'min', message: `${name} must be in the future.` });
    }
  }
  if (at.publish_at && at.publish_at.getTime() === at.unpublish_at?.getTime()) {
    const message = 'unpublish_at must be another time than publish_at.';
    errors.push({ path: 'unpublish_at', code: 'duplicate', message });
  }
  const times = {
    publishAt: at.publish_at?.toISOString() ?? null,
    unpublishAt: at.unpublish_at?.toISOString() ?? null,
  };
  return { times, errors };
}

/** Undefined also for a value of another form, which the DTO has already reported. */
function instant(value: unknown): Date | undefined {
  return typeof value === 'string' ? timestampOf(value) : undefined;
}
