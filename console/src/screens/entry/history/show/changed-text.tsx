import { useState } from 'react';
import { Button } from '../../../../parts/button';
import { classNames } from '../../../../parts/class-names';
import { useIsWide } from './use-is-wide';
import type { Change } from '../compare/change';
import type { Piece } from '../compare/pieces';
import { shortenedPieces } from '../compare/shortened';
import { Sides } from './sides';
import styles from './changes.module.css';

/** A text with what went and what came, as text whatever it holds. */
export function ChangedText({ change: { pieces, isCode, note } }: { change: Extract<Change, { kind: 'text' }> }) {
  const isWide = useIsWide();
  const [isWhole, setWhole] = useState(false);
  const short = shortenedPieces(pieces);
  const shown = isWhole ? pieces : short;
  const isShort = short.some((piece, index) => piece !== pieces[index]);
  const style = classNames(styles.text, isCode && styles.code);
  const side = (without: Piece['is']) =>
    pieces.some(({ is }) => is !== without) && <Pieces pieces={shown} without={without} className={style} />;
  return (
    <>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {isWide ? <Sides before={side('added')} after={side('removed')} /> : <Pieces pieces={shown} className={style} />}
      {isShort && !isWhole && (
        <Button look="quiet" className={styles.whole} onClick={() => setWhole(true)}>
          Show the whole text
        </Button>
      )}
    </>
  );
}

interface PiecesProps {
  pieces: readonly Piece[];
  /** What is on the other side only. */
  without?: Piece['is'];
  className: string;
}

function Pieces({ pieces, without, className }: PiecesProps) {
  return (
    <div className={className} dir="auto">
      {pieces.map(({ text, is }, index) => {
        if (is === without) return null;
        if (is === 'same') return <span key={index}>{text}</span>;
        return is === 'added' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
      })}
    </div>
  );
}
