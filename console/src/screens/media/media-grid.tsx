import { Link } from 'wouter';
import type { MediaFile } from '../../api/media';
import { LoadMore } from '../../lists/load-more';
import { typeInWords } from '../../media/kinds';
import { classNames } from '../../parts/class-names';
import { Loading } from '../../parts/loading';
import { bytesInWords } from '../../parts/numbers';
import { ProblemMessage } from '../../parts/problem-message';
import styles from './media.module.css';
import { mediaAddressOf, type ChangeMedia, type MediaState } from './media-address';
import { NoMedia } from './no-media';
import { Thumbnail } from './thumbnail';
import type { MediaFilesQuery } from './use-media';

/** The pixels of each side, on screens with two for each. */
const SIDE = 480;

interface MediaGridProps {
  media: MediaFilesQuery;
  state: MediaState;
  onChange: ChangeMedia;
}

export function MediaGrid({ media, state, onChange }: MediaGridProps) {
  const files = media.data?.pages.flatMap(({ data }) => data);
  if (media.isPending) return <Loading />;
  if (!files || (media.isError && !media.isFetchNextPageError)) {
    return <ProblemMessage error={media.error} onRetry={() => void media.refetch()} />;
  }
  if (files.length === 0) return <NoMedia state={state} onChange={onChange} />;
  return (
    <>
      <ul className={classNames(styles.files, media.isPlaceholderData && styles.waiting)} aria-label="Files">
        {files.map((file) => (
          <li key={file.id}>
            <FileLink file={file} href={mediaAddressOf({ ...state, file: file.id })} />
          </li>
        ))}
      </ul>
      <LoadMore query={media} />
    </>
  );
}

function FileLink({ file, href }: { file: MediaFile; href: string }) {
  const { filename, mime_type: type, size, alt } = file;
  return (
    <Link href={href} className={styles.file} title={filename}>
      <span className={styles.picture}>
        <Thumbnail file={file} side={SIDE} fit="inside" />
      </span>
      <span className={styles.text}>
        <span className={styles.name} dir="auto">
          {filename}
        </span>
        <span className={styles.facts}>
          {typeInWords(type)} · {bytesInWords(size)}
        </span>
        {type.startsWith('image/') && alt === '' && <span className={styles.facts}>No alternative text</span>}
      </span>
    </Link>
  );
}
