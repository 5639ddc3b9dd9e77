import { useState } from 'react';
import { Link } from 'wouter';
import type { DefinedType } from '../../api/type-changes';
import { Button } from '../../parts/button';
import { Buttons } from '../../parts/buttons';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { JsonTab } from './code/json-tab';
import { RequestsTab } from './code/requests-tab';
import { TypeScriptTab } from './code/typescript-tab';
import { DeleteType } from './delete-type';
import { DefinitionsTab } from './definitions-tab';
import { draftOf, type TypeDraft, updateBody } from './model/draft';
import { PlanDialog } from './review/review-dialog';
import { TypeSettings } from './type-settings';
import { useLeaveWarning } from './use-leave-warning';

interface TypeEditorProps {
  type: DefinedType;
  tag: string;
  onReload: () => void;
}

/** Nothing changes for anybody before the changes are reviewed and applied. */
export function TypeEditor({ type, tag, onReload }: TypeEditorProps) {
  const [stored] = useState(() => ({ type, tag, draft: draftOf(type) }));
  const [draft, setDraft] = useState<TypeDraft>(stored.draft);
  const [open, setOpen] = useState<'review' | 'delete'>();
  const change = (part: Partial<TypeDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isChanged = Object.keys(updateBody(draft, stored.draft)).length > 0;
  useLeaveWarning(isChanged);
  const faults: Readonly<Record<string, string>> =
    draft.name.trim() === '' ? { name: 'Give the content type a name.' } : {};
  const tabs = [
    { id: 'fields', name: 'Fields', show: () => <DefinitionsTab draft={draft} faults={faults} onChange={change} /> },
    { id: 'settings', name: 'Settings', show: () => <TypeSettings draft={draft} onChange={change} /> },
    { id: 'json', name: 'JSON', show: () => <JsonTab draft={draft} /> },
    { id: 'typescript', name: 'TypeScript', show: () => <TypeScriptTab type={type} /> },
    { id: 'requests', name: 'Requests', show: () => <RequestsTab type={type} /> },
  ];
  return (
    <Page
      title={type.name}
      about={<Link href={`/content/${type.slug}`}>Its entries</Link>}
      actions={<Button onClick={() => setOpen('delete')}>Delete content type</Button>}
      isWide
    >
      <Tabs label="Content type" tabs={tabs} />
      <Buttons>
        <Button look="primary" disabled={!isChanged || draft.name.trim() === ''} onClick={() => setOpen('review')}>
          Review changes
        </Button>
        {isChanged && (
          <Button look="quiet" onClick={() => setDraft(stored.draft)}>
            Undo changes
          </Button>
        )}
      </Buttons>
      {open === 'review' && (
        <PlanDialog editing={{ stored, draft }} onReload={onReload} onClose={() => setOpen(undefined)} />
      )}
      {open === 'delete' && <DeleteType type={type} tag={tag} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
