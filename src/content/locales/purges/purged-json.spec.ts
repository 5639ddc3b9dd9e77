import { runAtOnce } from '../../../admission/sliced-work.js';
import { dataWithoutLocale, retiredWithout, withoutLocale } from './purged-json.js';

describe('JSON without the values of a locale', () => {
  it.each([
    ['{"title":"a","title@de":"b","title@de-CH":"c"}', '{"title":"a","title@de-CH":"c"}'],
    [
      '{"@":{"off":["de"],"at":{"de":"2","en":"1"}},"title":1.50,"x@de":[1,{"a@de":2}]}',
      '{"@":{"at":{"en":"1"}},"title":1.50}',
    ],
    ['{"@":{"off":["de","fr"]},"n": 1.0}', '{"@":{"off":["fr"]},"n": 1.0}'],
    ['{"@":{"at":{"en":"1"}},"title": "@de\\""}', '{"@":{"at":{"en":"1"}},"title": "@de\\""}'],
    ['{}', '{}'],
  ])('of %s is %s', (json, without) => {
    expect(runAtOnce(withoutLocale(json, 'de'))).toBe(without);
  });

  it.each([
    ['{"title@de/text":"a","body@fr/text":"b"}', '{"body@fr/text":"b"}'],
    ['{"title@de/text":"a"}', null],
    ['{"title/text":"a@de"}', '{"title/text":"a@de"}'],
  ])('of the removed fields %s is %s', (json, without) => {
    expect(runAtOnce(retiredWithout(json, 'de'))).toBe(without);
  });

  it.each([
    [
      '{"id":"ent_1","fields":{"de":1},"localized":{"de":{"title":"a"},"fr":{}},"locales_changed":["de"]}',
      '{"id":"ent_1","fields":{"de":1},"localized":{"fr":{}},"locales_changed":["de"]}',
    ],
    ['{"id":"ent_1","localized":{}}', '{"id":"ent_1","localized":{}}'],
    ['{"id":"ent_1"}', '{"id":"ent_1"}'],
  ])('of the event %s is %s', (json, without) => {
    expect(runAtOnce(dataWithoutLocale(json, 'de'))).toBe(without);
  });
});
