import { useEffect, useState } from 'react';
import { say } from '../../parts/status';

/** Calls `onFiles` with files that are dropped anywhere on the page, or pasted. Returns whether some are held over it. */
export function useDroppedFiles(isOn: boolean, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const gone = new AbortController();
    const listen = <Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void) =>
      window.addEventListener(name, listener, { signal: gone.signal });
    listen('dragover', (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen('drop', (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles(filesOf(event.dataTransfer));
    });
    listen('paste', ({ target, clipboardData }) => {
      // Programs for texts also copy a picture of them.
      if (!isTextBox(target) && clipboardData && clipboardData.files.length > 0) onFiles([...clipboardData.files]);
    });
    return () => gone.abort();
  }, [isOn, onFiles]);
  return isOver;
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** A folder is dropped like a file, and has no bytes. */
function filesOf(transfer: DataTransfer | null): readonly File[] {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const files = items.filter((item) => !item.webkitGetAsEntry()?.isDirectory).map((item) => item.getAsFile());
  if (files.length < items.length) say('Folders are left out. Drop the files in them.');
  return files.filter((file) => file !== null);
}

function isTextBox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
