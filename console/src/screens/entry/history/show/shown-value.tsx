import { type ReactNode, useContext } from 'react';
import type { FieldDefinition } from '../../../../api/content-types';
import { Day, Moment } from '../../../../parts/when';
import { isRecord } from '../../model/values';
import { NamesContext } from './names-context';
import { ShownMedia } from './shown-media';

/** One value as people read it. Whatever somebody wrote is text. */
export function ShownValue({
  definition: { type },
  value,
}: {
  definition: FieldDefinition;
  value: unknown;
}): ReactNode {
  if (type === 'media' && isRecord(value)) return <ShownMedia value={value} />;
  if (type === 'boolean') return value === true ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString(undefined, { maximumFractionDigits: 20 });
  if (typeof value !== 'string') return <bdi>{JSON.stringify(value)}</bdi>;
  switch (type) {
    case 'date':
      return <Day date={value} />;
    case 'datetime':
      return Number.isNaN(Date.parse(value)) ? <bdi>{value}</bdi> : <Moment time={value} />;
    case 'reference':
      return <ShownReference id={value} />;
    default:
      return <bdi>{value}</bdi>;
  }
}

function ShownReference({ id }: { id: string }) {
  return <bdi>{useContext(NamesContext).get(id)?.title ?? id}</bdi>;
}
