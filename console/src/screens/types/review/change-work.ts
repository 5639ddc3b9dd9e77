import { ApiProblem } from '../../../api/problem';
import { getSchemaChange, type SchemaChange } from '../../../api/type-changes';
import { countInWords } from '../../../parts/numbers';
import { startWork, type WorkHandle } from '../../../work/work';

interface ChangeWork {
  readonly tenantId: string;
  readonly name: string;
  readonly change: SchemaChange;
  /** Called when nobody looks at it any more: it is done, or it failed. */
  readonly onEnd: () => void;
}

/** Milliseconds between two looks at a change. */
const PAUSE = 1_000;

/** Looks that the dialog waits for, and milliseconds between them. */
const SHORT_LOOKS = 8;
const SHORT_PAUSE = 250;

/** Waits a moment for a change that may be a short one. Throws the problem of one that failed. */
export async function settled(tenantId: string, begun: SchemaChange): Promise<SchemaChange> {
  let change = begun;
  for (let look = 0; change.state === 'running' && look < SHORT_LOOKS; look++) {
    await pause(SHORT_PAUSE);
    change = await getSchemaChange(tenantId, change.id);
  }
  if (change.problem) throw new ApiProblem(change.problem);
  return change;
}

/** Shows how far a long change is. The service carries it out whether somebody looks or not. */
export function watchChange({ tenantId, name, change, onEnd }: ChangeWork): void {
  startWork({ tenantId, title: `Change ${name}`, run: (handle) => watch(tenantId, name, change, handle), onEnd });
}

async function watch(tenantId: string, name: string, begun: SchemaChange, { signal, progress }: WorkHandle) {
  let change = begun;
  while (change.state === 'running') {
    const { processed, total } = change;
    progress(total > 0 ? processed / total : undefined, `${countInWords(processed)} of ${countInWords(total)} entries`);
    await pause(PAUSE, signal);
    if (signal.aborted) return { said: `The change of ${name} goes on.` };
    change = await getSchemaChange(tenantId, change.id);
  }
  if (change.state === 'done') return { said: `${name} was changed.` };
  const message = change.problem?.detail ?? 'The service could not carry it out.';
  return { said: 'Nothing was changed:', failures: [{ name, message }] };
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
