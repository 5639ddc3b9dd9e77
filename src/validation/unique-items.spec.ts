import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { EachItem, UniqueItems } from './unique-items.js';

const RULE = { max: 1_000, message: 'names must be different' };

class Names {
  @UniqueItems(RULE)
  names: unknown;

  constructor(names: unknown) {
    this.names = names;
  }
}

function faultsOf(dto: object): string[] {
  return validateSync(dto).flatMap(({ constraints = {} }) => Object.values(constraints));
}

/** A list that counts how often its items are read. */
function counted(items: unknown[]): { list: unknown[]; reads: () => number } {
  let reads = 0;
  const list = new Proxy(items, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, reads: () => reads };
}

describe('UniqueItems', () => {
  it('accepts different items and refuses equal ones', () => {
    expect(faultsOf(new Names(['a', 'b', 1, '1', null]))).toEqual([]);
    expect(faultsOf(new Names(['a', 'b', 'a']))).toEqual(['names must be different']);
    expect(faultsOf(new Names([]))).toEqual([]);
  });

  it('leaves what is no list to other checks', () => {
    for (const value of ['aa', { 0: 'a', 1: 'a' }, null, 1]) expect(faultsOf(new Names(value))).toEqual([]);
  });

  it('looks at each item once, and at no item of a list that is too long', () => {
    const longest = counted(Array.from({ length: RULE.max }, (_, index) => `name ${index}`));
    expect(faultsOf(new Names(longest.list))).toEqual([]);
    expect(longest.reads()).toBe(RULE.max);
    const longer = counted(Array.from({ length: 70 * RULE.max }, () => 'name'));
    expect(faultsOf(new Names(longer.list))).toEqual([]);
    expect(longer.reads()).toBe(0);
  });

  it('compares what identifies the items, of which it asks for each once', () => {
    let asked = 0;
    const identify = (item: unknown) => {
      asked++;
      return String(item).toLowerCase();
    };
    class Folded {
      @UniqueItems(RULE, identify)
      names = ['a', 'b', 'A', 'c'];
    }
    expect(faultsOf(new Folded())).toEqual(['names must be different']);
    expect(asked).toBe(3);
  });
});

describe('EachItem', () => {
  class Numbers {
    @EachItem({ max: 3, message: 'numbers must be numbers' }, (item) => typeof item === 'number')
    numbers: unknown;

    constructor(numbers: unknown) {
      this.numbers = numbers;
    }
  }

  it('refuses a list with an item that is not valid, and looks at no list that is too long', () => {
    expect(faultsOf(new Numbers([1, 2]))).toEqual([]);
    expect(faultsOf(new Numbers([1, 'x']))).toEqual(['numbers must be numbers']);
    const longer = counted(['x', 'x', 'x', 'x']);
    expect(faultsOf(new Numbers(longer.list))).toEqual([]);
    expect(longer.reads()).toBe(0);
  });
});
