/** Entries whose page was left while something was to be saved, by their IDs. */
const leaving = new Map<string, Promise<void>>();

/** Keeps in mind that the entry is being saved, so that it is read only afterwards. */
export function noteLeaving(id: string, saved: Promise<void>): void {
  leaving.set(id, saved);
  void saved.finally(() => leaving.get(id) === saved && leaving.delete(id));
}

export async function whenLeft(id: string): Promise<void> {
  await leaving.get(id);
}
