import { isDeepStrictEqual } from 'node:util';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { ValueError } from '../../errors/problem.js';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import { formatId } from '../../ids/type-id.js';
import { findNamed } from './filter-names.js';
import type { WebhookOption } from './webhook-option.js';

/** Which events a webhook receives, beyond their types. Content types and forms are UUIDs. */
export interface WebhookFilters {
  contentTypes?: readonly string[];
  forms?: readonly string[];
  status?: 'draft' | 'published';
  changed?: readonly string[];
  /** Codes. */
  locales?: readonly string[];
}

/** What filters look at. A property is undefined if the event has nothing of the kind; its filter does not apply then. */
export interface EventFacts {
  /** The public ID of the resource (`data.id`). No filter looks at it. */
  resource?: string;
  contentTypeId?: string;
  formId?: string;
  /** Of an entry. */
  status?: string;
  /** The fields whose values an update of an entry changed. */
  changed?: readonly string[];
  /** The locales that a change of an entry of a type with localized fields concerns (`locales_changed`). Read only if a filter looks at it. */
  locales?: readonly string[];
}

const MAX_NAMES = 100;
const MAX_NAME = 200;
const STATUSES: readonly unknown[] = ['draft', 'published'];
const LISTS = ['content_types', 'forms', 'changed', 'locales'] as const;

/** Filters as requests and responses have them. Requests name content types and forms by ID or slug, responses by ID. */
export class WebhookFiltersDto {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_NAMES,
    example: ['ct_01k9mzh6xze3n8mqsd5wkxp2zt'],
    description:
      'Only events of these content types and of their entries. Named by ID or slug; they stay chosen when they are renamed.',
  })
  content_types?: string[];

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_NAMES,
    description: 'Only events of these forms and of their submissions. Named by ID or slug.',
  })
  forms?: string[];

  @ApiPropertyOptional({
    enum: ['draft', 'published'],
    description: 'Only events of entries that have this status then.',
  })
  status?: 'draft' | 'published';

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_NAMES,
    example: ['title'],
    description: 'Of `entry.updated`, only those that changed the value of one of these fields.',
  })
  changed?: string[];

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_NAMES,
    example: ['de'],
    description:
      'Of the events of entries whose content type has localized fields, only those with one of these codes in `locales_changed`, and their deletions. Other ' +
      'events are delivered as without it.',
  })
  locales?: string[];
}

/** Checks the shape of filters. Whether the content types and forms exist is checked later. */
function checkFilters(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path, code: 'type', message: `${path} must be an object.` }];
  }
  return Object.entries(value as Record<string, unknown>)
    .slice(0, MAX_NAMES)
    .flatMap(([name, one]): ValueError[] => {
      const at = `${path}.${name}`;
      if (name === 'status') {
        if (STATUSES.includes(one)) return [];
        return [{ path: at, code: 'options', message: `${at} must be draft or published.` }];
      }
      if ((LISTS as readonly string[]).includes(name)) return checkNames(one, at);
      return [
        {
          path: at,
          code: 'unknown_property',
          message: `${at} is not a filter. The filters are ${LISTS.join(', ')} and status.`,
        },
      ];
    });
}

function checkNames(value: unknown, path: string): ValueError[] {
  if (!Array.isArray(value)) return [{ path, code: 'type', message: `${path} must be a list.` }];
  if (value.length === 0 || value.length > MAX_NAMES) {
    return [{ path, code: 'length', message: `${path} must have 1 to ${MAX_NAMES} names.` }];
  }
  return (value as unknown[]).flatMap((name, index): ValueError[] => {
    if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME) return [];
    const at = `${path}.${index}`;
    return [{ path: at, code: 'type', message: `${at} must be a string of 1 to ${MAX_NAME} characters.` }];
  });
}

/** The option `filters`. */
export const FILTERS: WebhookOption<WebhookFiltersDto, { filters: WebhookFilters | null }, WebhookFiltersDto> = {
  columns: { filters: { type: 'json' } },
  validation: [CheckedBy((value, path) => (value === null ? [] : checkFilters(value, path)))],
  schema: {
    request: {
      type: WebhookFiltersDto,
      nullable: true,
      example: { status: 'published', changed: ['title'] },
      description: 'An event is delivered if it fits every filter that applies to it. An update replaces all filters.',
    },
    response: { type: WebhookFiltersDto },
  },
  async write(sent, { executor, webhook, visibleTypes }) {
    if (!sent) return { columns: sent === null ? { filters: null } : {} };
    const { filters, errors } = await findNamed(executor, webhook.tenantId, sent, visibleTypes);
    return { columns: { filters }, errors };
  },
  present({ filters }) {
    return filters === null ? undefined : presentFilters(filters);
  },
  widens(before, { filters }) {
    return filters !== undefined && !isDeepStrictEqual(filters, before.filters);
  },
};

function presentFilters({ contentTypes, forms, status, changed, locales }: WebhookFilters): WebhookFiltersDto {
  return {
    ...(contentTypes && { content_types: contentTypes.map((id) => formatId('ct', id)) }),
    ...(forms && { forms: forms.map((id) => formatId('frm', id)) }),
    ...(status && { status }),
    ...(changed && { changed: [...changed] }),
    ...(locales && { locales: [...locales] }),
  };
}

/** Whether the event fits each filter that applies to it. */
export function fits({ contentTypes, forms, status, changed, locales }: WebhookFilters, facts: EventFacts): boolean {
  return (
    isAmong(contentTypes, facts.contentTypeId) &&
    isAmong(forms, facts.formId) &&
    isAmong(status && [status], facts.status) &&
    areMet(changed, facts.changed) &&
    areMet(locales, facts.locales)
  );
}

function areMet(wanted: readonly string[] | undefined, actual: readonly string[] | undefined): boolean {
  return wanted === undefined || actual === undefined || actual.some((one) => wanted.includes(one));
}

function isAmong(wanted: readonly string[] | undefined, actual: string | undefined): boolean {
  return wanted === undefined || actual === undefined || wanted.includes(actual);
}
