export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'trivet-theme';

/** What this browser was told to use. */
export function chosenTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    // A browser may keep nothing for this site.
    return 'system';
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // It is used until the page is loaded again.
  }
  applyTheme(theme);
}

export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
