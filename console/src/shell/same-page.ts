/** Options of `navigate` for an address that what is shown gets from now on: the focus stays where it is. */
export const SAME_PAGE = { replace: true, state: { isSamePage: true } } as const;

/** Whether the address changed, and the page did not. */
export function isSamePage(): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'isSamePage' in state;
}
