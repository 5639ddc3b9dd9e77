import type { EventBodies } from '../request/generated/operations.js';
import type { Entry } from '../schema/entry.js';
import type { SchemaShape, Slug } from '../schema/shape.js';

/** The types of events whose data is an entry. */
type OfEntry = `entry.${'created' | 'updated' | 'published' | 'unpublished' | 'deleted'}`;

/** Entries of every content type of the schema. `content_type_id` tells them apart. */
type AnyEntry<S extends SchemaShape> = { [Type in Slug<S>]: Entry<S, Type> }[Slug<S>];

/** The body of a delivery, by its `type`. */
export type WebhookEvent<S extends SchemaShape> = {
  [Type in keyof EventBodies]: Type extends OfEntry
    ? Omit<EventBodies[Type], 'data'> & { data: AnyEntry<S> }
    : EventBodies[Type];
}[keyof EventBodies];
