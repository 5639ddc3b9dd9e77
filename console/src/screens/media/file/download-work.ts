import type { MediaFile } from '../../../api/media';
import { readFile, saveFile } from '../../../api/save-file';
import { filePath, ownFile } from '../../../media/picture';
import { startWork } from '../../../work/work';

/** Gives the person the file under the name that it was uploaded with. */
export function startDownload(tenantId: string, { url, filename, size }: MediaFile): void {
  startWork({
    tenantId,
    title: `Download ${filename}`,
    run: async ({ signal, progress }) => {
      const own = ownFile(url, tenantId);
      if (!own) throw new Error('The file has an address that the console does not know.');
      let read = 0;
      const onBytes = (bytes: number) => progress((read += bytes) / Math.max(size, 1));
      saveFile(await readFile(filePath(tenantId, own), { signal, onBytes }), filename);
      return { said: `${filename} was downloaded.` };
    },
  });
}
