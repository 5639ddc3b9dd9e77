/** Returns the stem of a folded word, or the word itself. */
export type Stemmer = (word: string) => string;
