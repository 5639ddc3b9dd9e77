import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { identityOf } from '../../session/identity';
import { mayFor } from '../../session/rights';
import { useSession } from '../../session/session';
import { SAME_PAGE } from '../../shell/same-page';
import { useTenant } from '../../shell/tenant';
import { entriesKey } from '../content/keys';
import { otherThanDefault, useEntryLanguage } from './language/entry-language';
import { type EditorState, isUnsaved } from './model/editor-state';
import { EntryEditor } from './model/entry-editor';
import { KeptTexts } from './model/kept-text';
import type { LoadedEntry } from './model/load-entry';
import { randomKey } from './model/random-key';

export const EditorContext = createContext<EntryEditor | undefined>(undefined);

export function useEditor(): EntryEditor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('There is no editor here.');
  return editor;
}

export function useEditorState(editor: EntryEditor): EditorState {
  return useSyncExternalStore(editor.subscribe, editor.getState);
}

/** Makes the editor of a page, which saves what is left to save when the page is left. */
export function useNewEditor(type: ContentType, loaded: LoadedEntry | undefined, isReadOnly: boolean): EntryEditor {
  const tenant = useTenant();
  const language = useEntryLanguage();
  const who = identityOf(useSession());
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [editor] = useState(
    () =>
      new EntryEditor({
        ...{ tenantId: tenant.id, type, loaded },
        seesDrafts: mayFor(tenant, 'content:read', type),
        isReadOnly,
        language: language && {
          code: language.code,
          standard: language.locales.default,
          codes: language.locales.locales.map(({ code }) => code),
        },
        mayFold: tenant.locales === undefined,
        kept: new KeptTexts(
          who,
          tenant.id,
          type.id,
          loaded?.live.data.id ?? 'new',
          randomKey(),
          otherThanDefault(language),
        ),
        onCreated: ({ id }) => navigate(`/content/${type.slug}/${id}${window.location.search}`, SAME_PAGE),
        onSaved: () => void client.invalidateQueries({ queryKey: entriesKey(tenant.id, type.slug) }),
      }),
  );
  useEffect(() => () => editor.leave(), [editor]);
  useUnload(editor);
  return editor;
}

/** Before the page goes, it saves what it can, and asks where something is not saved. When the person is back, it shows what others saved. */
function useUnload(editor: EntryEditor): void {
  useEffect(() => {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') editor.hurry();
      else void editor.lookAgain();
    };
    const ask = (event: BeforeUnloadEvent) => {
      editor.hurry();
      if (isUnsaved(editor.getState())) event.preventDefault();
    };
    const retry = () => {
      editor.hurry();
      void editor.lookAgain();
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('beforeunload', ask);
    window.addEventListener('online', retry);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('online', retry);
    };
  }, [editor]);
}
