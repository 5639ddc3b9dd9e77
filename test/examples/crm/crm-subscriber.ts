import { Inject, Injectable } from '@nestjs/common';
import { type EventRow, presentEvent } from '../../../src/events/event-presenter.js';
import { OperatorClient } from '../../../src/outbound/operator-client.js';
import { WorkFailure } from '../../../src/work/work-failure.js';
import { WorkServices } from '../../../src/work/work-services.js';
import { WorkSubscriber } from '../../../src/work/work-subscriber.js';

export const CRM_URL = Symbol('CRM_URL');

/** Sends each submission to the CRM. */
@Injectable()
export class CrmSubscriber extends WorkSubscriber {
  readonly name = 'crm';
  readonly startsFrom = 'now';
  override readonly types = ['form.submitted'] as const;

  constructor(
    services: WorkServices,
    private readonly client: OperatorClient,
    @Inject(CRM_URL) private readonly url: string,
  ) {
    super(services, 'crm_jobs');
  }

  /** The body contains the ID of the event, by which the CRM recognizes an event that it receives again. */
  protected async process(tenantId: string, event: EventRow, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = presentEvent(tenantId, event);
    const answer = await this.client.post(this.url, { headers, body, timeoutMs: 20_000, signal });
    if (answer.error) throw new WorkFailure(answer.message ?? answer.error);
    const { status = 0, retryAfter } = answer;
    if (status >= 300) {
      throw new WorkFailure(`The CRM responded with ${status}.`, { permanent: status === 422, retryAfter });
    }
  }
}
