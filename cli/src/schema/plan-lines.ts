import type { Paint } from '../output/paint.js';
import type { Step } from './plan-schema.js';

const KINDS = { locales: 'Locale', content_type: 'Content type', form: 'Form', webhook: 'Webhook' } as const;
const SIGNS = { create: '+', add: '+', delete: '-', remove: '-' } as const;
const COLORS = { safe: 'green', needs_data: 'red', lossy: 'yellow' } as const;
const CLASSES = { safe: 'safe', needs_data: 'needs data', lossy: 'lossy' } as const;
/** Samples of a step that are shown. */
const SAMPLES = 3;

/** The steps as lines for people, those of an item together. */
export function planLines(steps: readonly Step[], paint: Paint): string[] {
  return [...byItem(steps)].flatMap(([title, ofItem]) => [
    paint('bold', title),
    ...ofItem.flatMap((step) => [
      `  ${signOf(step)} ${whatOf(step).padEnd(32)} ${paint(COLORS[step.class], classOf(step))}`,
      ...step.samples.slice(0, SAMPLES).map(({ entry_id: id, message }) => paint('dim', `      ${id}: ${message}`)),
    ]),
  ]);
}

/** One line about all steps. */
export function summaryOf(steps: readonly Step[]): string {
  if (steps.length === 0) return 'Nothing to do.';
  const counts = Object.keys(CLASSES).map((name) => {
    const kind = name as keyof typeof CLASSES;
    return { kind, count: steps.filter((step) => step.class === kind).length };
  });
  const parts = counts.filter(({ count }) => count > 0).map(({ kind, count }) => `${count} ${CLASSES[kind]}`);
  return `${steps.length === 1 ? '1 step' : `${steps.length} steps`}: ${parts.join(', ')}.`;
}

/** The steps as a table in Markdown, for pull requests. */
export function planMarkdown(steps: readonly Step[]): string {
  if (steps.length === 0) return 'The schema does not change.';
  const rows = steps.map((step) => {
    const samples = step.samples.slice(0, SAMPLES).map(({ message }) => message);
    const cells = [titleOf(step), whatOf(step), classOf(step), samples.join(' ')];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  });
  return [`**${summaryOf(steps)}**`, '', '| What | Step | Class | Examples |', '|---|---|---|---|', ...rows].join('\n');
}

function byItem(steps: readonly Step[]): Map<string, Step[]> {
  const items = new Map<string, Step[]>();
  for (const step of steps) items.set(titleOf(step), [...(items.get(titleOf(step)) ?? []), step]);
  return items;
}

function titleOf({ kind, item }: Step): string {
  return `${KINDS[kind]} ${item}`;
}

function signOf({ op }: Step): string {
  return SIGNS[op as keyof typeof SIGNS] ?? '~';
}

function whatOf({ op, field }: Step): string {
  return field === undefined ? op : `${op} ${field}`;
}

function classOf(step: Step): string {
  const name = CLASSES[step.class];
  if (step.class === 'needs_data') return `${name}: ${step.failing} of ${step.entries} do not fit`;
  if (step.class === 'lossy' && step.entries > 0) return `${name}: ${step.entries} with values`;
  return name;
}

function escapeCell(text: string): string {
  return text.replace(/[\\|`*_[\]<>]/g, '\\$&').replace(/\s+/g, ' ');
}
