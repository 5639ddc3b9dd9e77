import type { DeliveryState } from '../../../api/deliveries';

/** What a state is called, and whether somebody should look. */
export const STATES: Readonly<Record<DeliveryState, { readonly words: string; readonly look?: 'danger' }>> = {
  pending: { words: 'Pending' },
  succeeded: { words: 'Delivered' },
  failed: { words: 'Failed', look: 'danger' },
  canceled: { words: 'Canceled' },
};
