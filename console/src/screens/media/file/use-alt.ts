import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeAlt, type MediaFile, type MediaPage } from '../../../api/media';
import { useTenant } from '../../../shell/tenant';
import { fileKey, mediaListKey } from '../keys';

/** The alternative text as it is typed, and what saves it. */
export function useAlt({ id, alt }: MediaFile) {
  const { id: tenantId } = useTenant();
  const client = useQueryClient();
  const [text, setText] = useState(alt);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (saved: string) => changeAlt(tenantId, id, saved),
    onSuccess: (_answer, saved) => {
      const changed = (file: MediaFile) => (file.id === id ? { ...file, alt: saved } : file);
      client.setQueryData<MediaFile>(fileKey(tenantId, id), (file) => file && changed(file));
      client.setQueriesData<InfiniteData<MediaPage>>(
        { queryKey: mediaListKey(tenantId) },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, data: page.data.map((file) => changed(file)) })),
          },
      );
      void client.invalidateQueries({ queryKey: mediaListKey(tenantId) });
    },
  });
  const words = text.trim();
  const isSaved = words === alt;
  /** Calls `onSaved` once nothing is left to save. */
  const save = (onSaved?: () => void) => {
    if (isSaved) onSaved?.();
    else if (!isPending) mutate(words, { onSuccess: onSaved });
  };
  return { text, setText, isSaved, isPending, error, save };
}
