import { useQuery } from '@tanstack/react-query';
import { type DefinedType, getTypeScript } from '../../../api/type-changes';
import { CodeBox } from '../../../parts/copying/code-box';
import { CopyButton } from '../../../parts/copying/copy-button';
import { Loading } from '../../../parts/loading';
import { Section } from '../../../parts/page';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { typesKey } from '../../content/keys';
import { interfacesOf } from './interfaces-of';

/** What `@trivet/client` knows the entries as. */
export function TypeScriptTab({ type }: { type: DefinedType }) {
  const tenant = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...typesKey(tenant.id), 'typescript'],
    queryFn: ({ signal }) => getTypeScript(tenant.id, signal),
  });
  const text = data === undefined ? '' : interfacesOf(data, type.slug);
  return (
    <Section
      title="The type in TypeScript"
      about="As it is stored. The whole file has every type of the tenant, for @trivet/client."
      actions={
        data !== undefined && (
          <>
            <CopyButton label="Copy" text={text} />
            <CopyButton label="Copy the whole file" text={data} />
          </>
        )
      }
    >
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data !== undefined && <CodeBox label="TypeScript" text={text} />}
    </Section>
  );
}
