import type { Webhook, WebhookStats } from '../../api/webhooks';
import { Facts } from '../../parts/facts';
import { countInWords } from '../../parts/numbers';
import { When } from '../../parts/when';
import { eventsInWords } from './events-in-words';
import { Health } from './health';

export function WebhookFacts({ webhook, stats }: { webhook: Webhook; stats?: WebhookStats }) {
  const { events, signed } = webhook;
  return (
    <Facts
      facts={[
        ['Health', <Health key="health" webhook={webhook} stats={stats} />],
        ['Events', eventsInWords(events)],
        ['Signed', signed ? 'Yes' : 'No: anybody could send the receiver the same'],
        ...(stats ? countsOf(stats) : []),
      ]}
    />
  );
}

function countsOf({ delivered, failed, pending, p50_ms: half, p95_ms: most, last_success_at: last }: WebhookStats) {
  const counts = `${countInWords(delivered)} delivered, ${countInWords(failed)} failed, ${countInWords(pending)} pending`;
  return [
    ['Last 24 hours', counts] as const,
    ...(half === null || most === null
      ? []
      : [
          [
            'Time to answer',
            `${countInWords(half)} ms for half of them, ${countInWords(most)} ms for 95 of 100`,
          ] as const,
        ]),
    ...(last === null ? [] : [['Last success', <When key="last" time={last} />] as const]),
  ];
}
