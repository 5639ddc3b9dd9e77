import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { listEventTypes } from '../../../api/events';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Fieldset } from '../../../parts/groups/fieldset';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import type { FormValues } from './webhook-values';

/** Types are listed for a minute before they are asked for again: they change only with the service. */
const FRESH = 60_000;

export function EventChoice({ form: { register, control, formState } }: { form: UseFormReturn<FormValues> }) {
  const types = useQuery({
    queryKey: ['event types'],
    queryFn: ({ signal }) => listEventTypes(signal),
    staleTime: FRESH,
  });
  const isForAll = useWatch({ control, name: 'isForAll' });
  return (
    <Fieldset legend="Events" error={formState.errors.events?.message} isList>
      <ProblemMessage error={types.error} onRetry={() => void types.refetch()} />
      {types.isPending && <Loading />}
      <Checkbox label="All events, also those of later versions" {...register('isForAll')} />
      {types.data?.map(({ type, description }) => (
        <Checkbox
          key={type}
          label={type}
          help={description.replaceAll('`', '')}
          value={type}
          disabled={isForAll}
          {...register('events', {
            validate: (events, values) => values.isForAll || events.length > 0 || 'Choose at least one event.',
          })}
        />
      ))}
    </Fieldset>
  );
}
