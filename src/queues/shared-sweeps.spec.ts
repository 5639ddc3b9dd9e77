import type { Database } from '../database/database.js';
import type { DatabaseServers } from '../database/servers/database-servers.js';
import type { DatabaseWatches } from '../database/connections/database-watches.js';
import { SharedSweeps } from './shared-sweeps.js';

const FOR_MS = 1_000;

/** Passes messages between the processes that are made with it. */
class Channel {
  private readonly processes: ((message: string) => void)[] = [];
  sent = 0;

  process(finds: readonly string[], { isDistributed = true, serversAway = 0 } = {}): SharedSweeps {
    const watches = {
      channel: (_name: string, heard: (message: string) => void) => {
        this.processes.push(heard);
        return { send: (message: string) => this.send(message, heard), stop: () => Promise.resolve() };
      },
    };
    const sweeps = new SharedSweeps(
      { isDistributed } as Database,
      { serversAway } as DatabaseServers,
      watches as unknown as DatabaseWatches,
    );
    sweeps.start(finds, FOR_MS);
    return sweeps;
  }

  private send(message: string, sender: (message: string) => void): void {
    this.sent++;
    for (const heard of this.processes) if (heard !== sender) heard(message);
  }
}

describe('sweeps of several processes', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are left to a process that has begun one, for a second', () => {
    const channel = new Channel();
    const [one, other] = [channel.process(['a', 'b']), channel.process(['b', 'a'])];
    expect([one.isElsewhere, other.isElsewhere]).toEqual([false, false]);
    one.begin();
    expect([one.isElsewhere, other.isElsewhere]).toEqual([false, true]);
    jest.advanceTimersByTime(FOR_MS);
    expect(other.isElsewhere).toBe(false);
  });

  it('are made by every process once one of them has found work', () => {
    const channel = new Channel();
    const [one, other] = [channel.process(['a']), channel.process(['a'])];
    one.begin();
    one.found();
    expect(other.isElsewhere).toBe(false);
  });

  it('are not left to a process that looks for something else', () => {
    const channel = new Channel();
    const [one, other] = [channel.process(['a']), channel.process(['a', 'b'])];
    one.begin();
    expect(other.isElsewhere).toBe(false);
    other.begin();
    one.found();
    expect(one.isElsewhere).toBe(false);
  });

  it('are not shared while a database server is away, or on a single server', () => {
    const channel = new Channel();
    const other = channel.process(['a']);
    channel.process(['a'], { serversAway: 1 }).begin();
    const single = channel.process(['a'], { isDistributed: false });
    single.begin();
    single.found();
    expect([other.isElsewhere, channel.sent]).toEqual([false, 0]);
  });
});
