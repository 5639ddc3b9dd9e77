import { styleText } from 'node:util';
import type { MaybeTerminal, Terminal } from './terminal.js';

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colours a text only on a terminal whose user has not switched colours off (https://no-color.org). */
export function paintFor(stream: MaybeTerminal<object>, env: Terminal['env']): Paint {
  const isPlain = !stream.isTTY || !!env['NO_COLOR'] || env['TERM'] === 'dumb';
  return (style, text) => (isPlain ? text : styleText(style, text, { validateStream: false }));
}
