import { type RefObject, useEffect, useState } from 'react';
import { isFromFrame, type ToFrame } from '../../../preview-frame/messages';
import { useEntryLanguage } from '../language/entry-language';
import { useEditor, useEditorState } from '../use-editor';
import { previewedEntry } from './previewed-entry';

interface SiteMessages {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly url: string;
  /** The site is shown anew when it changes. */
  readonly turn: unknown;
  /** The site led to an origin that is not allowed, or is there itself. */
  readonly onRefused: (origin: string) => void;
}

/** Talks to the frame of the preview: sends the entry at each change, and leads to the field that somebody pointed at in the site. */
export function useSiteMessages({ frame, url, turn, onRefused }: SiteMessages): void {
  const editor = useEditor();
  const { entry, draft } = useEditorState(editor);
  const standard = useEntryLanguage()?.standard;
  const [isReady, setReady] = useState(false);

  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || origin !== window.location.origin || !isFromFrame(data)) return;
      if (data.type === 'trivet:ready') setReady(true);
      else if (data.type === 'trivet:refused') onRefused(data.origin);
      else editor.lead(data.field);
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, [editor, frame, onRefused]);

  useEffect(() => {
    if (!isReady || !entry) return undefined;
    const saved = draft?.fields ?? entry.fields;
    // Where the language has no value, readers see another one.
    const sendEntry = () => {
      const shown = previewedEntry(entry, editor.form.values, saved);
      send(frame.current, { type: 'trivet:entry', entry: { ...shown, fields: { ...standard, ...shown.fields } } });
    };
    let drawn = 0;
    // Once for all that changes before the browser draws.
    const end = editor.form.observe(() => {
      cancelAnimationFrame(drawn);
      drawn = requestAnimationFrame(sendEntry);
    });
    sendEntry();
    return () => {
      cancelAnimationFrame(drawn);
      end();
    };
  }, [editor, frame, isReady, entry, draft, standard]);

  useEffect(() => {
    if (isReady) send(frame.current, { type: 'trivet:show', url });
  }, [frame, isReady, url, turn]);
}

function send(frame: HTMLIFrameElement | null, message: ToFrame): void {
  frame?.contentWindow?.postMessage(message, window.location.origin);
}
