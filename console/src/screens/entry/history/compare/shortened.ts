import type { Piece } from './pieces';

/** Characters beside a difference that are shown of what stayed. */
const BESIDE = 160;
/** What is not much longer is shown as a whole. */
const WORTH = 2 * BESIDE + 80;

/** The pieces without the middle of what stayed, which `…` stands for. */
export function shortenedPieces(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, index) => {
    if (piece.is !== 'same' || piece.text.length <= WORTH) return piece;
    const [isFirst, isLast] = [index === 0, index === pieces.length - 1];
    const start = isFirst ? '' : beginning(piece.text);
    const end = isLast ? '' : ending(piece.text);
    return { ...piece, text: `${start} … ${end}` };
  });
}

function beginning(text: string): string {
  const cut = text.slice(0, BESIDE);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), BESIDE / 2)).trimEnd();
}

function ending(text: string): string {
  const cut = text.slice(-BESIDE);
  const gap = cut.indexOf(' ');
  return cut.slice(gap < 0 ? 0 : Math.min(gap, BESIDE / 2)).trimStart();
}
