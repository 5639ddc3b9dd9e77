import type { DefinedType } from '../../../api/type-changes';
import { CodeBox } from '../../../parts/copying/code-box';
import { CopyButton } from '../../../parts/copying/copy-button';
import { Section } from '../../../parts/page';
import { useTenant } from '../../../shell/tenant';
import { requestsFor } from './requests';

/** Requests to begin with, for developers. */
export function RequestsTab({ type }: { type: DefinedType }) {
  const tenant = useTenant();
  return (
    <>
      {requestsFor(tenant.id, type).map(({ title, text }) => (
        <Section key={title} title={title} actions={<CopyButton label={`Copy: ${title}`} text={text} />}>
          <CodeBox label={title} text={text} />
        </Section>
      ))}
    </>
  );
}
