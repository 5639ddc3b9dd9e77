import { formatId } from '../../ids/type-id.js';
import type { ScheduleRow } from './schedules.sql.js';

/** Returns the JSON of a schedule. Absent times are left out. */
export function presentSchedule({ entryId, typeId, publishAt, unpublishAt, locales, problem }: ScheduleRow): string {
  const schedule = JSON.stringify({
    entry_id: formatId('ent', entryId),
    content_type_id: formatId('ct', typeId),
    ...(publishAt !== null && { publish_at: publishAt }),
    ...(unpublishAt !== null && { unpublish_at: unpublishAt }),
    ...(locales !== null && { locales }),
    state: problem === null ? 'pending' : 'failed',
  });
  return problem === null ? schedule : `${schedule.slice(0, -1)},"problem":${problem}}`;
}
