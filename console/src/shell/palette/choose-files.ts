import type { QueryClient } from '@tanstack/react-query';

/** Lets the person choose files, and uploads them. `onChosen` is called when that begins. */
export function chooseFiles(client: QueryClient, tenantId: string, onChosen: () => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    onChosen();
    void import('../../screens/media/upload-work').then(({ startUploads }) => startUploads(client, tenantId, files));
  });
  input.click();
}
