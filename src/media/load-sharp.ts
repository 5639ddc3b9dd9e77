import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The image library, loaded with the first image: a process that serves none does without its memory. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One thread for each picture: how many are drawn at once is decided elsewhere. Nothing is drawn twice, so nothing is worth keeping.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
