import { Turns } from './turns.js';

describe('Turns', () => {
  const turnAway = () => new Error('full');

  function gate() {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open };
  }

  it('lets so many run at once, the others in the order they came', async () => {
    const turns = new Turns({ atOnce: 2, waiting: 10, patience: 1000, turnAway });
    const started: number[] = [];
    const gates = Array.from({ length: 4 }, gate);
    const tasks = gates.map(({ opened }, index) =>
      turns.take(async () => {
        started.push(index);
        await opened;
        return index;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    await tasks[1];
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('turns away who finds no place, and who waits in vain', async () => {
    const turns = new Turns({ atOnce: 1, waiting: 1, patience: 20, turnAway });
    const { opened, open } = gate();
    const running = turns.take(() => opened);
    const waiting = turns.take(() => Promise.resolve());
    await expect(turns.take(() => Promise.resolve())).rejects.toThrow('full');
    await expect(waiting).rejects.toThrow('full');
    open();
    await running;
    await expect(turns.take(() => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('goes on after a task that fails', async () => {
    const turns = new Turns({ atOnce: 1, waiting: 1, patience: 1000, turnAway });
    const failing = turns.take(() => Promise.reject(new Error('failed')));
    const next = turns.take(() => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('failed');
    await expect(next).resolves.toBe('next');
  });
});
