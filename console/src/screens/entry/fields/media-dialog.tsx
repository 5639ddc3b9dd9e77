import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listMedia, type MediaFile } from '../../../api/media';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { TextField } from '../../../parts/fields/text-field';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { MediaValue } from '../../content/values/media-value';
import own from './media.module.css';
import { UploadButton } from './upload-button';

interface MediaDialogProps {
  onChoose: (file: MediaFile) => void;
  onClose: () => void;
}

/** Chooses one of the tenant's files, or a new one. */
export default function MediaDialog({ onChoose, onClose }: MediaDialogProps) {
  const tenant = useTenant();
  const [search, setSearch] = useState('');
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useFiles(search);
  const files = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Dialog title="Choose a file" isOpen isWide onClose={onClose}>
      <TextField
        label="Search"
        type="search"
        help="By file name and alternative text."
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {may(tenant, 'media:write') && <UploadButton onUploaded={onChoose} />}
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && files.length === 0 && <p>{search === '' ? 'There are no files yet.' : 'Nothing was found.'}</p>}
      <ul className={own.files}>
        {files.map((file) => (
          <li key={file.id}>
            <button type="button" className={own.file} title={file.filename} onClick={() => onChoose(file)}>
              <span className={own.tile}>
                <MediaValue value={{ url: file.url, alt: '' }} side={240} />
              </span>
              <span className={own.name} dir="auto">
                {file.filename}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** Milliseconds without a keystroke after which is searched. */
const PAUSE = 200;

function useFiles(typed: string) {
  const { id } = useTenant();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return useInfiniteQuery({
    queryKey: [id, 'media', 'choice', search],
    queryFn: ({ pageParam, signal }) => listMedia(id, { search, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor,
    staleTime: 0,
  });
}
