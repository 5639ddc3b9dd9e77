import { Media, MediaCount, MediaVariant, MediaVariantTotal, OrphanedFile } from './media.entity.js';
import { Media1763000002000 } from './migrations/1763000002000-media.js';
import { MediaBytes1763000143000 } from './migrations/1763000143000-media-bytes.js';
import { MediaVariants1763000010000 } from './migrations/1763000010000-media-variants.js';

export const entities = [Media, MediaCount, OrphanedFile, MediaVariant, MediaVariantTotal];

export const migrations = [Media1763000002000, MediaVariants1763000010000, MediaBytes1763000143000];
