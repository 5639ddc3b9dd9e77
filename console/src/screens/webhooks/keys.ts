export function webhooksKey(tenantId: string): string[] {
  return [tenantId, 'webhooks'];
}

export function webhookKey(tenantId: string, id: string): string[] {
  return [tenantId, 'webhook', id];
}

export function deliveriesKey(tenantId: string, id: string): string[] {
  return [tenantId, 'deliveries', id];
}
