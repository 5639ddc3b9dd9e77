import { Media, MediaCount, MediaVariant, MediaVariantTotal, OrphanedFile, PrivateFileCount } from './media.entity.js';
import { Media1763000003000 } from './migrations/1763000003000-media.js';
import { MediaWithoutAlt1763000015000 } from './migrations/1763000015000-media-without-alt.js';

export const entities = [Media, MediaCount, OrphanedFile, MediaVariant, MediaVariantTotal, PrivateFileCount];

export const migrations = [Media1763000003000, MediaWithoutAlt1763000015000];
