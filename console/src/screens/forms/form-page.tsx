import { useQuery } from '@tanstack/react-query';
import { getForm, listForms } from '../../api/forms';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { Tabs } from '../../parts/tabs';
import { may } from '../../session/rights';
import { NotFound } from '../../shell/not-found';
import { useTenant } from '../../shell/tenant';
import { Embed } from './embed/embed';
import { FieldsTab } from './fields/fields-tab';
import { Inbox } from './inbox/inbox';
import { formKey, formsKey } from './keys';
import { FormSettingsTab } from './settings/form-settings-tab';

export default function FormPage({ slug }: { slug: string }) {
  const tenant = useTenant();
  const forms = useQuery({
    queryKey: formsKey(tenant.id),
    queryFn: ({ signal }) => listForms(tenant.id, signal),
  });
  const found = forms.data?.find((form) => form.slug === slug || form.id === slug);
  const form = useQuery({
    queryKey: formKey(tenant.id, found?.id ?? ''),
    queryFn: ({ signal }) => getForm(tenant.id, found?.id ?? '', signal),
    enabled: found !== undefined,
  });
  if (forms.data && !found) return <NotFound />;
  const data = form.data?.data;
  if (!data) {
    return (
      <Page title={found?.name ?? 'Form'}>
        <ProblemMessage error={forms.error ?? form.error} onRetry={() => void forms.refetch()} />
        {!forms.error && !form.error && <Loading />}
      </Page>
    );
  }
  const mayWrite = may(tenant, 'forms:write');
  const key = data.id;
  const inbox = { id: 'inbox', name: 'Inbox', show: () => <Inbox key={key} form={data} /> };
  const fields = { id: 'fields', name: 'Fields', show: () => <FieldsTab key={key} form={data} /> };
  const settings = { id: 'settings', name: 'Settings', show: () => <FormSettingsTab key={key} form={data} /> };
  const embed = { id: 'embed', name: 'Embed', show: () => <Embed key={key} form={data} /> };
  return (
    <Page title={data.name} isWide>
      {form.data?.warnings?.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      <Tabs label="Form" tabs={mayWrite ? [inbox, fields, settings, embed] : [inbox, embed]} />
    </Page>
  );
}
