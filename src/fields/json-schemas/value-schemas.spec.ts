import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { runAtOnce } from '../../admission/sliced-work.js';
import { checkDefinitions } from '../definitions/definitions.js';
import type { FieldDefinition } from '../field-definition.js';
import { matchDeferredPatterns } from '../patterns/pattern-runner.js';
import { Schema } from '../schema.js';
import { definitionLists, valuesOf } from '../../../test/support/random-values.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { recordSchema } from './record-schema.js';

const RUNS = propertyRuns(100);

async function isAccepted(schema: Schema, values: unknown): Promise<boolean> {
  const { errors, deferred } = schema.checkWhole(values);
  if (deferred) await matchDeferredPatterns('tenant', deferred);
  return errors.length === 0;
}

const compiled = (definitions: readonly FieldDefinition[]) => {
  const schema = Schema.compile(definitions, 'content');
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true }).compile(
    runAtOnce(recordSchema(schema)),
  );
  return { schema, validate };
};

describe('the JSON Schema of a new record', () => {
  it('is valid for exactly the values that the service accepts', async () => {
    const cases = definitionLists.chain((definitions) =>
      fc.record({
        definitions: fc.constant(definitions),
        records: fc.array(valuesOf(definitions), { minLength: 20, maxLength: 20 }),
      }),
    );
    const counts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(cases, async ({ definitions, records }) => {
        fc.pre((await checkDefinitions('tenant', definitions, 'content')).length === 0);
        const { schema, validate } = compiled(definitions);
        for (const values of records) {
          const isValid = validate(values);
          expect([values, validate.errors, isValid]).toEqual([
            values,
            validate.errors,
            await isAccepted(schema, values),
          ]);
          counts[isValid ? 'accepted' : 'refused']++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(RUNS);
  }, 120_000);
});
