/** The groups of the palette, in their order. */
export const GROUPS = ['Recent', 'Pages', 'Content types', 'Forms', 'Actions', 'Entries', 'Files'] as const;

/** Something that the palette finds. */
export interface Place {
  readonly id: string;
  readonly group: (typeof GROUPS)[number];
  readonly name: string;
  /** A word about it, at the end of its line. */
  readonly about?: string;
  /** Other words by which it is found. */
  readonly words?: string;
  /** It is done where one is: the focus returns to where it was. */
  readonly isHere?: boolean;
  /** Goes there, or does it. */
  readonly go: () => void;
}

/** Places of a group that are shown. */
const SHOWN = 6;

/** The places that have a word for each beginning that was typed, those whose names begin so first, in the order of their groups. */
export function findPlaces(places: readonly Place[], search: string): readonly Place[] {
  const typed = search.trim().toLocaleLowerCase();
  const words = typed.split(/\s+/);
  const found = places.filter(({ name, words: more = '' }) => {
    const text = `${name} ${more}`.toLocaleLowerCase();
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    return words.every(
      (word) => parts.some((part) => part.startsWith(word)) || (word.length > 2 && text.includes(word)),
    );
  });
  const begins = ({ name }: Place) => name.toLocaleLowerCase().startsWith(typed);
  const sorted = [...found].sort((one, other) => Number(begins(other)) - Number(begins(one)));
  return GROUPS.flatMap((group) => sorted.filter((place) => place.group === group).slice(0, SHOWN));
}
