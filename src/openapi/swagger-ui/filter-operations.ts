/** The parts of Immutable's collections that `filterOperations` uses. */
export interface Operations {
  filter(keep: (operation: OperationEntry) => boolean): Operations;
  readonly size: number;
}

interface OperationEntry {
  get(name: 'path' | 'method'): string;
  getIn(path: string[]): unknown;
}

interface Group {
  get(name: 'operations'): Operations;
  set(name: 'operations', operations: Operations): Group;
}

export interface Groups {
  map(change: (group: Group, tag: string) => Group): Groups;
  filter(keep: (group: Group) => boolean): Groups;
}

/**
 * Runs in the browser, in place of Swagger UI's filter, which compares only the names of groups: keeps the groups whose name contains the
 * phrase, and the operations whose summary, method or path does. It must not refer to anything outside itself.
 */
export function filterOperations(groups: Groups, phrase: string): Groups {
  const sought = phrase.trim().toLowerCase();
  const isMatch = (text: string) => text.toLowerCase().includes(sought);
  return groups
    .map((group, tag) => {
      if (isMatch(tag)) return group;
      const operations = group.get('operations').filter((each) => {
        const summary = each.getIn(['operation', 'summary']);
        return isMatch(`${each.get('method')} ${each.get('path')} ${typeof summary === 'string' ? summary : ''}`);
      });
      return group.set('operations', operations);
    })
    .filter((group) => group.get('operations').size > 0);
}
