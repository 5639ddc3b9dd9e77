/** Characters at the beginning of an event's data that contain its IDs. */
export const HEAD = 100;

/**
 * The IDs that the data of an event begins with: its own (of a schedule, that of the entry), and that of its content type or form
 * (`presentEntry`, `presentSchedule`, `presentSubmission`).
 */
const IDS = /^\{"(?:id|entry_id)":"[^"]+"(?:,"(?:content_type_id|form_id)":"[^"]+")?/;

/** The data of an event as thin payloads have it. `data` may be cut after its head. */
export function thinData(data: string): string {
  const [ids] = IDS.exec(data) ?? [];
  return ids === undefined ? '{}' : `${ids}}`;
}
