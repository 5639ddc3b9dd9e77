interface Preset {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** What keys are made for most often, the least first. */
export const PRESETS: readonly Preset[] = [
  { name: 'Read what is published', scopes: ['content:read:published'] },
  { name: 'Read everything', scopes: ['read'] },
  { name: 'Read and change everything', scopes: ['read', 'write'] },
  { name: 'Everything, members and API keys too', scopes: ['*'] },
];

export function presetOf(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name);
}

const DAY = 86_400;

export const EXPIRIES: readonly { readonly words: string; readonly seconds?: number }[] = [
  { words: 'Never' },
  { words: 'In a day', seconds: DAY },
  { words: 'In 30 days', seconds: 30 * DAY },
  { words: 'In 90 days', seconds: 90 * DAY },
  { words: 'In a year', seconds: 365 * DAY },
];
