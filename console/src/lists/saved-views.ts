import { useOwnStorage } from '../session/own-storage';

/** A state of a list that somebody gave a name. */
export interface SavedView {
  readonly name: string;
  /** The query of its address. */
  readonly query: string;
}

const MAX_VIEWS = 50;
export const MAX_VIEW_NAME = 60;

export interface SavedViews {
  readonly views: readonly SavedView[];
  readonly save: (view: SavedView) => void;
  readonly remove: (name: string) => void;
}

/** The views that this browser keeps for the list of this name. A view that is saved again is replaced. */
export function useSavedViews(list: string): SavedViews {
  const [views, change] = useOwnStorage(`views of ${list}`, readViews);
  const without = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    save: (view) => change([...without(view.name), view].slice(-MAX_VIEWS)),
    remove: (name) => change(without(name)),
  };
}

function readViews(stored: unknown): readonly SavedView[] {
  return Array.isArray(stored) ? stored.filter(isView).slice(-MAX_VIEWS) : [];
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof query === 'string';
}
