import type { Type } from '@nestjs/common';
import { checkLocales } from '../content/locales/checked-settings.js';
import type { ValueError } from '../errors/problem.js';
import { isRecord } from '../fields/record.js';
import { type BodyOfValue, checkItems, checkObject } from '../http/bodies/dto.pipe.js';
import { trimBlanks } from '../validation/blank.js';
import { propertiesOf } from '../validation/properties-of.js';
import { suggestionOrList } from '../validation/suggestion.js';
import { CreateWebhookDto } from '../webhooks/webhooks.dto.js';
import { MAX_ITEMS } from './schema-document.js';
import { SchemaFormDto, SchemaTypeDto, SchemaWebhookDto } from './schema-items.dto.js';

type Item = Record<string, unknown>;
type CheckOfItem = (item: Item, path: string, body: BodyOfValue) => Promise<ValueError[]>;

const LISTS: Readonly<Record<string, CheckOfItem>> = {
  types: (item, path, body) => checkSlugged(SchemaTypeDto, item, path, body),
  forms: (item, path, body) => checkSlugged(SchemaFormDto, item, path, body),
  webhooks: checkWebhook,
};

/** Checks a document from a request: each item as its own request would be checked, except for what the tenant decides. */
export async function checkDocument(document: unknown, path: string, body: BodyOfValue): Promise<ValueError[]> {
  if (!isRecord(document)) return [{ path, code: 'type', message: `${path} must be an object.` }];
  const known = [...Object.keys(LISTS), 'locales'];
  const errors: ValueError[] = Object.keys(document)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_ITEMS)
    .map((name) => unknownIn(path, name, known));
  for (const [name, check] of Object.entries(LISTS)) {
    const at = `${path}.${name}`;
    const list = document[name];
    if (list === undefined) errors.push({ path: at, code: 'required', message: `${at} is required.` });
    else errors.push(...(await checkList(list, at, (item, place) => check(item, place, body))));
  }
  if (document['locales'] !== undefined) errors.push(...checkLocaleSettings(document['locales'], `${path}.locales`));
  return errors;
}

async function checkList(
  list: unknown,
  path: string,
  check: (item: Item, path: string) => Promise<ValueError[]>,
): Promise<ValueError[]> {
  const slugs = new Set<unknown>();
  return checkItems(list, path, { min: 0, max: MAX_ITEMS }, async (item, at) => {
    if (!isRecord(item)) return [{ path: at, code: 'type', message: `${at} must be an object.` }];
    const { slug } = item;
    if (slug !== undefined && slugs.has(slug))
      return [{ path: `${at}.slug`, code: 'duplicate', message: `slug must be unique in ${path}.` }];
    slugs.add(slug);
    return check(item, at);
  });
}

async function checkSlugged(dto: Type, item: Item, path: string, body: BodyOfValue): Promise<ValueError[]> {
  if (typeof item['name'] === 'string') item['name'] = trimBlanks(item['name']);
  const errors = await checkObject(dto, item, path, { ...body, isBody: true });
  if (item['slug'] !== undefined) return errors;
  return [...errors, { path: `${path}.slug`, code: 'required', message: 'slug is required.' }];
}

async function checkWebhook(item: Item, path: string, body: BodyOfValue): Promise<ValueError[]> {
  const known = propertiesOf(SchemaWebhookDto);
  const unknown = Object.keys(item).filter((name) => !known.has(name));
  const { active, ...webhook } = Object.fromEntries(Object.entries(item).filter(([name]) => known.has(name)));
  const errors = await checkObject(CreateWebhookDto, webhook, path, { ...body, isBody: true });
  if (active !== undefined && typeof active !== 'boolean')
    errors.push({ path: `${path}.active`, code: 'type', message: 'active must be a boolean.' });
  return [...errors, ...unknown.map((name) => unknownIn(path, name, [...known]))];
}

function checkLocaleSettings(settings: unknown, path: string): ValueError[] {
  if (!isRecord(settings)) return [{ path, code: 'type', message: `${path} must be an object.` }];
  const known = ['default', 'locales'];
  return [
    ...Object.keys(settings)
      .filter((name) => !known.includes(name))
      .map((name) => unknownIn(path, name, known)),
    ...known
      .filter((name) => settings[name] === undefined)
      .map((name): ValueError => ({ path: `${path}.${name}`, code: 'required', message: `${name} is required.` })),
    ...(settings['locales'] === undefined ? [] : checkLocales(settings['locales'], `${path}.locales`)),
  ];
}

function unknownIn(path: string, name: string, known: readonly string[]): ValueError {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const message = `${shown} is not a known property.${suggestionOrList(name, known)}`;
  return { path: `${path}.${shown}`, code: 'unknown_property', message };
}
