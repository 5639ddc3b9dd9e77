import type { QueryClient } from '@tanstack/react-query';
import { uploadMedia } from '../../api/media';
import { Places } from '../../work/places';
import { startWork } from '../../work/work';
import { showUploaded } from './use-media';

/** Files that are sent at once. */
const places = new Places(3);

/** Uploads each file by itself: it has its own progress, can be cancelled, and can be tried again. */
export function startUploads(client: QueryClient, tenantId: string, files: readonly File[]): void {
  for (const file of files) {
    startWork({
      tenantId,
      title: `Upload ${file.name}`,
      run: ({ signal, progress }) => {
        progress(0, 'Waiting …');
        return places.within(signal, async () => {
          const onProgress = (share: number) => progress(share, share < 1 ? percent(share) : 'Being stored …');
          onProgress(0);
          showUploaded(client, tenantId, await uploadMedia(tenantId, { file, signal, onProgress }));
          return { said: `${file.name} was uploaded.` };
        });
      },
    });
  }
}

function percent(share: number): string {
  return share.toLocaleString('en', { style: 'percent' });
}
