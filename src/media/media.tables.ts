import { Media, MediaCount, MediaVariant, MediaVariantTotal, OrphanedFile, PrivateFileCount } from './media.entity.js';
import { Media1763000002000 } from './migrations/1763000002000-media.js';
import { MediaBytes1763000143000 } from './migrations/1763000143000-media-bytes.js';
import { PrivateFiles1763000140000 } from './migrations/1763000140000-private-files.js';
import { MediaVariants1763000010000 } from './migrations/1763000010000-media-variants.js';

export const entities = [Media, MediaCount, OrphanedFile, MediaVariant, MediaVariantTotal, PrivateFileCount];

export const migrations = [
  Media1763000002000,
  MediaVariants1763000010000,
  PrivateFiles1763000140000,
  MediaBytes1763000143000,
];
