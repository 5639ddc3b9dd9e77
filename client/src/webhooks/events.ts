import type { EventBodies } from '../request/generated/operations.js';
import type { Entry } from '../schema/entry.js';
import type { EventPartsOf } from '../schema/locales.js';
import type { SchemaShape, Slug } from '../schema/shape.js';

/** The types of events whose data is an entry. */
type OfEntry = `entry.${'created' | 'updated' | 'published' | 'unpublished' | 'deleted'}`;

/** Entries of every content type of the schema. `content_type_id` tells them apart. */
type AnyEntry<S extends SchemaShape, Event> = { [Type in Slug<S>]: Entry<S, Type> & PartsIn<S, Type, Event> }[Slug<S>];

/** A deleted entry is as it was last changed, which may have been before its content type had localized fields. */
type PartsIn<S extends SchemaShape, Type, Event> = Event extends 'entry.deleted'
  ? Partial<EventPartsOf<S, Type>>
  : EventPartsOf<S, Type>;

/** The body of a delivery, by its `type`. */
export type WebhookEvent<S extends SchemaShape> = {
  [Type in keyof EventBodies]: Type extends OfEntry
    ? Omit<EventBodies[Type], 'data'> & { data: AnyEntry<S, Type> }
    : EventBodies[Type];
}[keyof EventBodies];
