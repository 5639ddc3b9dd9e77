import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { type FormDetail, updateForm } from '../../../api/forms';
import { Button } from '../../../parts/button';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { Section } from '../../../parts/page';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { formKey, formsKey } from '../keys';
import { DeleteForm } from './delete-form';
import { AfterFields, MailFields, NameFields, SpamFields, StorageFields } from './setting-fields';
import { changesOf, type SettingValues, settingValuesOf } from './setting-values';
import { showSettingProblem } from './show-setting-problem';

export function FormSettingsTab({ form: shown }: { form: FormDetail }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<unknown>();
  const [isDeleting, setDeleting] = useState(false);
  const form = useForm<SettingValues>({ defaultValues: settingValuesOf(shown) });
  const { mutate, isPending } = useMutation({
    mutationFn: (values: SettingValues) => updateForm(tenant.id, shown.id, changesOf(values, shown)),
    onSuccess: async (saved) => {
      say('The settings were saved.');
      setProblem(undefined);
      form.reset(settingValuesOf(saved));
      if (saved.slug !== shown.slug) navigate(`/forms/${saved.slug}?tab=settings`, { replace: true });
      await client.invalidateQueries({ queryKey: formsKey(tenant.id) });
      await client.invalidateQueries({ queryKey: formKey(tenant.id, shown.id) });
    },
    onError: (error) => setProblem(showSettingProblem(error, form.setError)),
  });
  return (
    <>
      <Form onSubmit={form.handleSubmit((values) => mutate(values))}>
        <ProblemMessage error={problem} />
        <NameFields form={form} />
        <MailFields form={form} />
        <AfterFields form={form} />
        <SpamFields form={form} />
        <StorageFields form={form} />
        <div>
          <Button type="submit" look="primary" isBusy={isPending}>
            Save settings
          </Button>
        </div>
      </Form>
      <Section
        title="Delete the form"
        about="With everything that was sent with it."
        actions={<Button onClick={() => setDeleting(true)}>Delete form</Button>}
      >
        {isDeleting && <DeleteForm form={shown} onClose={() => setDeleting(false)} />}
      </Section>
    </>
  );
}
