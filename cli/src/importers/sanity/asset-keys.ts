import type { SanityObject } from './shape.js';

/**
 * Returns the key of the file that an image or a file field has: its name in the archive, `images/abc-10x10.png`. An export names it in
 * `_sanityAsset`; a raw one has the ID of the asset, `image-abc-10x10-png`.
 */
export function assetKeyOf(value: SanityObject): string | undefined {
  const asset = value['asset'] as { _ref?: unknown; _sanityAsset?: unknown } | undefined;
  const archived = [value['_sanityAsset'], asset?._sanityAsset].find((one): one is string => typeof one === 'string');
  if (archived !== undefined) return /(?:images|files)\/[^/]+$/.exec(archived)?.[0];
  return typeof asset?._ref === 'string' ? keyOfId(asset._ref) : undefined;
}

/** `image-abc-10x10-png` is `images/abc-10x10.png`. */
export function keyOfId(id: string): string | undefined {
  const [, kind, name, extension] = /^(image|file)-(.+)-([a-z0-9]+)$/i.exec(id) ?? [];
  return kind === undefined ? undefined : `${kind}s/${name}.${extension}`;
}
