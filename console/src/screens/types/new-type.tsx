import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../../parts/button';
import { Buttons } from '../../parts/buttons';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { JsonTab } from './code/json-tab';
import { DefinitionsTab } from './definitions-tab';
import { asNew, draftOf, type TypeDraft } from './model/draft';
import { CreateDialog } from './review/create-dialog';
import { TemplateChoice } from './template-choice';
import { TEMPLATES } from './templates';
import { TypeSettings } from './type-settings';
import { useLeaveWarning } from './use-leave-warning';

/** A content type that is not stored yet. */
export default function NewType() {
  const [query] = useSearchParams();
  const [template, setTemplate] = useState(query.get('template') ?? 'empty');
  const [draft, setDraft] = useState<TypeDraft>(() => draftFrom(template));
  const [isReviewing, setReviewing] = useState(false);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const change = (part: Partial<TypeDraft>) => {
    setFaults({});
    setDraft((before) => ({ ...before, ...part }));
  };
  const isBegun = draft.fields.length > 0 && !isReviewing;
  useLeaveWarning(isBegun);
  const choose = (id: string) => {
    setTemplate(id);
    const isNamed = draft.name !== '' && draft.name !== nameOfTemplate(template);
    change({ ...draftFrom(id), ...(isNamed && { name: draft.name }), slug: draft.slug });
  };
  const review = () => {
    const found = faultsOf(draft);
    setFaults(found);
    if (Object.keys(found).length === 0) setReviewing(true);
  };
  const fields = {
    id: 'fields',
    name: 'Fields',
    show: () => <DefinitionsTab draft={draft} faults={faults} onChange={change} />,
  };
  const settings = { id: 'settings', name: 'Settings', show: () => <TypeSettings draft={draft} onChange={change} /> };
  const json = { id: 'json', name: 'JSON', show: () => <JsonTab draft={draft} /> };
  return (
    <Page title="New content type" about="It says what its entries hold. Nothing is made before you apply it." isWide>
      <TemplateChoice chosen={template} onChoose={choose} />
      <Tabs label="Content type" tabs={[fields, settings, json]} />
      {faults['fields'] !== undefined && <p role="alert">{faults['fields']}</p>}
      <Buttons>
        <Button look="primary" onClick={review}>
          Review changes
        </Button>
      </Buttons>
      {isReviewing && <CreateDialog draft={draft} onFaults={setFaults} onClose={() => setReviewing(false)} />}
    </Page>
  );
}

function draftFrom(id: string): TypeDraft {
  const { name = '', fields = [] } = TEMPLATES.find((each) => each.id === id) ?? {};
  const draft = draftOf({ name, slug: '', fields });
  return { ...draft, fields: asNew(draft.fields) };
}

function nameOfTemplate(id: string): string | undefined {
  return TEMPLATES.find((each) => each.id === id)?.name;
}

function faultsOf({ name, fields }: TypeDraft): Readonly<Record<string, string>> {
  return {
    ...(name.trim() === '' && { name: 'Give the content type a name.' }),
    ...(fields.length === 0 && { fields: 'Add at least one field.' }),
  };
}
