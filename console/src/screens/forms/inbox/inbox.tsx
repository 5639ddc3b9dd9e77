import { useQuery } from '@tanstack/react-query';
import { countSubmissions } from '../../../api/submissions';
import type { FormDetail } from '../../../api/forms';
import { countInWords } from '../../../parts/numbers';
import { Tabs } from '../../../parts/tabs';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';
import { type Box, BOXES } from './boxes';
import { BoxOf } from './box-of';

/** What visitors sent. */
export function Inbox({ form }: { form: FormDetail }) {
  return (
    <Tabs
      label="Inbox"
      parameter="box"
      tabs={BOXES.map((box) => ({
        id: box.id,
        name: <BoxName form={form} box={box} />,
        show: () => <BoxOf form={form} box={box} />,
      }))}
    />
  );
}

/** With the number of what waits. */
function BoxName({ form, box }: { form: FormDetail; box: Box }) {
  const tenant = useTenant();
  const { data: count } = useQuery({
    queryKey: [...submissionsKey(tenant.id, form.id), 'count', box.id],
    queryFn: ({ signal }) => countSubmissions(tenant.id, form.id, box.query, signal),
    enabled: box.id !== 'done',
  });
  return count ? `${box.name} ${countInWords(count)}` : box.name;
}
