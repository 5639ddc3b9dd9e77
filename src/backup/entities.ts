import { ContentType } from '../content/content-type.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords } from '../content/entries/entry.entity.js';
import { Event, EventCounter, EventPosition, PendingEvent } from '../events/event.entity.js';
import { KnownSubscriber, SubscriberPosition } from '../events/subscriber.entity.js';
import { Form } from '../forms/form.entity.js';
import { Submission, SubmissionCount, SubmissionValue } from '../forms/submission.entity.js';
import { Mail, MailHour } from '../mail/mail.entity.js';
import { Media, MediaCount, MediaVariant, MediaVariantTotal, OrphanedFile } from '../media/media.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { Delivery, DeliveryAttempt } from '../webhooks/delivery.entity.js';
import { Webhook } from '../webhooks/webhook.entity.js';

/**
 * The entities whose tables a backup contains. A test compares them with the entities that the modules register, because a backup loads no
 * modules.
 */
export const entities = [
  Tenant,
  ContentType,
  Entry,
  EntryValue,
  EntryWords,
  EntryUnique,
  EntryCount,
  Form,
  Submission,
  SubmissionValue,
  SubmissionCount,
  Media,
  MediaCount,
  OrphanedFile,
  MediaVariant,
  MediaVariantTotal,
  Webhook,
  Delivery,
  DeliveryAttempt,
  Event,
  PendingEvent,
  EventCounter,
  EventPosition,
  KnownSubscriber,
  SubscriberPosition,
  Mail,
  MailHour,
];
