import { Media, MediaCount, MediaVariant, MediaVariantTotal, OrphanedFile, PrivateFileCount } from './media.entity.js';
import { Media1763000003000 } from './migrations/1763000003000-media.js';

export const entities = [Media, MediaCount, OrphanedFile, MediaVariant, MediaVariantTotal, PrivateFileCount];

export const migrations = [Media1763000003000];
