import { getEventListeners } from 'node:events';
import { Interruption, onAbort } from './interruption.js';

describe('an interruption', () => {
  it('has the first reason', () => {
    const interruption = new Interruption();
    const reasons: Error[] = [];
    interruption.onInterrupt = (reason) => reasons.push(reason);
    const first = new Error('first');
    interruption.interrupt(first);
    interruption.interrupt(new Error('second'));
    expect(reasons).toEqual([first]);
    expect(interruption.reason).toBe(first);
  });
});

describe('onAbort', () => {
  it('calls every listener that was not removed, once', () => {
    const abort = new AbortController();
    const called: string[] = [];
    onAbort(abort.signal, () => called.push('kept'));
    const remove = onAbort(abort.signal, () => called.push('removed'));
    remove();
    abort.abort();
    abort.abort();
    expect(called).toEqual(['kept']);
  });

  it('adds one listener to the signal, however many it is called with', () => {
    const abort = new AbortController();
    const removals = Array.from({ length: 100 }, () => onAbort(abort.signal, () => undefined));
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    for (const remove of removals) remove();
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
  });

  it('keeps the listeners of two signals apart', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const called: string[] = [];
    onAbort(one.signal, () => called.push('one'));
    onAbort(other.signal, () => called.push('other'));
    other.abort();
    expect(called).toEqual(['other']);
  });
});
