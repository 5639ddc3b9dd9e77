import { columns } from './text-array.js';

/** The arrays, and the number of steps that they took. */
function converted(values: (string | null)[]) {
  const steps = columns(
    values.map((value) => ({ value })),
    { values: 'value' } as const,
  );
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { ...step.value, count };
  }
}

describe('an array parameter', () => {
  it('is left to the driver if it is small', () => {
    expect(converted(['a', null])).toEqual({ values: ['a', null], count: 0 });
  });

  it('becomes text in steps if it has many elements', () => {
    const { values, count } = converted(Array<string | null>(1_500).fill('a"\\').fill(null, 1));
    expect(values).toBe(`{"a\\"\\\\"${',NULL'.repeat(1_499)}}`);
    expect(count).toBe(3);
  });

  it('becomes text in steps if it has many characters', () => {
    const element = 'a'.repeat(50_000);
    const { values, count } = converted([element, element, element, null, element, element, element]);
    expect(values).toBe(`{${['A', 'A', 'A', 'NULL', 'A', 'A', 'A'].join().replaceAll(/\bA\b/g, `"${element}"`)}}`);
    expect(count).toBe(3);
  });
});
