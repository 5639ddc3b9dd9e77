import { formatId } from '../../ids/type-id.js';
import { htmlOfFields, htmlMail, textOfField } from './layout.js';
import { linesOf, oneLine } from './mail-text.js';
import type { MailMessage } from '../transports/mail-transport.js';
import type { Sender } from '../transports/sender.js';

/** An event about a webhook. */
export interface Notice {
  /** The UUID of the event. */
  eventId: string;
  type: string;
  /** ISO 8601. */
  occurredAt: string;
  webhook: { id: string; url: string; description?: string; disabled_reason?: string | null };
}

const WHY: Record<string, string> = {
  gone: 'The receiver answered 410 (gone).',
  failing: 'All deliveries failed for five days.',
};

/** Composes the email about a webhook. It is the same for each attempt, so that a receiver can detect a duplicate. */
export function composeNotice(notice: Notice, tenantName: string, from: Sender, to: string): MailMessage {
  const { eventId, type, occurredAt, webhook } = notice;
  const id = formatId('evt', eventId);
  const isDisabled = type === 'webhook.disabled';
  const subject = `${oneLine(tenantName)}: a webhook ${isDisabled ? 'was made inactive' : 'is failing'}`;
  const fields = fieldsOf(webhook, isDisabled);
  const footer = `${type} at ${occurredAt} as ${id}`;
  return {
    id,
    messageId: `<${id}@${from.domain}>`,
    date: new Date(occurredAt),
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject,
    text: [subject, '', ...fields.map((field) => textOfField(field)), '-- ', footer, ''].join('\n'),
    html: htmlMail(subject, htmlOfFields(fields), footer),
    // RFC 3834: prevents automatic replies, such as vacation notices.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function fieldsOf({ id, url, description, disabled_reason: reason }: Notice['webhook'], isDisabled: boolean) {
  const happened = isDisabled
    ? `${WHY[reason ?? ''] ?? ''} Its pending deliveries are canceled. Set active to true to use it again.`
    : 'Deliveries are tried again according to their schedule. After five days of failures, the webhook is made inactive.';
  return [
    { label: 'Webhook', lines: [id] },
    { label: 'URL', lines: linesOf(url) },
    ...(description ? [{ label: 'Description', lines: linesOf(description) }] : []),
    { label: 'What happens', lines: [happened.trim()] },
  ];
}
