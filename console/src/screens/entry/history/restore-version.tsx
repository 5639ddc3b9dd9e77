import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Version } from '../../../api/entry-parts/history';
import { restoreVersion } from '../../../api/entry-parts/restore';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Fieldset } from '../../../parts/groups/fieldset';
import { useEntryLanguage } from '../language/entry-language';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { entriesKey } from '../../content/keys';
import { type OfEntry, useAddress } from '../use-address';
import { useEditor, useEditorState } from '../use-editor';
import { RestoreChoice, RestoreTarget, type Target } from './restore-target';

interface RestoreVersionProps extends OfEntry {
  version: Version;
  onRestored: () => void;
  onClose: () => void;
}

/** Asks where the values of a version shall be, and puts them there. What was typed is saved before. */
export default function RestoreVersion({
  type,
  entry,
  version: { version },
  onRestored,
  onClose,
}: RestoreVersionProps) {
  const address = useAddress({ type, entry });
  const client = useQueryClient();
  const editor = useEditor();
  const { draft } = useEditorState(editor);
  const tenant = useTenant();
  const language = useEntryLanguage();
  // Those who may change some languages alone restore no other.
  const mayAll = tenant.locales === undefined;
  const [isAll, setAll] = useState(mayAll && language?.isDefault !== false);
  const mayPublish = mayFor(tenant, 'content:write', type);
  const mayChangeLive = entry.status === 'draft' || mayPublish;
  const [target, setTarget] = useState<Target>(mayChangeLive ? 'live' : 'draft');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      // The draft of an entry that is not published becomes a version of its own, which can be restored too.
      const isSaved = await (entry.status === 'draft' ? editor.store() : editor.save());
      if (!isSaved) throw new Error('What you wrote could not be saved. Go back to the form, and see why.');
      await restoreVersion(address, version, {
        to: target,
        tag: editor.tagOf(target),
        locale: isAll ? undefined : language?.code,
      });
    },
    // Somebody else may have changed it: whoever restores then once more has been told.
    onError: () => editor.refresh(),
    onSuccess: () => {
      onClose();
      onRestored();
      void client.invalidateQueries({ queryKey: entriesKey(address.tenantId, type.slug) });
      say(target === 'live' ? `Version ${version} was restored.` : `Version ${version} was restored into the draft.`);
    },
  });
  return (
    <Dialog title={`Restore version ${version}?`} isOpen onClose={onClose}>
      {entry.status === 'draft' ? (
        <p>The entry gets the values of this version. What it is now stays in the history.</p>
      ) : (
        <RestoreTarget
          mayChangeLive={mayChangeLive}
          hasDraft={draft !== undefined}
          target={target}
          onChange={setTarget}
        />
      )}
      {language && mayAll && (
        <Fieldset legend="Languages">
          <RestoreChoice
            group="languages"
            label={`Only ${language.name}`}
            isChosen={!isAll}
            onChoose={() => setAll(false)}
          />
          <RestoreChoice group="languages" label="All languages" isChosen={isAll} onChoose={() => setAll(true)} />
        </Fieldset>
      )}
      {language && !mayAll && <p>Only the values in {language.name} are restored.</p>}
      <ProblemMessage error={error} />
      <DialogButtons>
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          Restore
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
