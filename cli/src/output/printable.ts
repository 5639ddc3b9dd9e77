/** Control characters except line feeds, tabs, and the escape of a sequence that sets a colour. */
const CONTROL = /\p{Cc}/gu;
const COLOR = /^\[\d+(;\d+)*m/;

/** A text as a terminal may show it: values of the service cannot move the cursor or change the terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, (character, at: number) => {
    if (character === '\n' || character === '\t') return character;
    const isColor = character === '\u001b' && COLOR.test(text.slice(at + 1, at + 16));
    return isColor ? character : '\ufffd';
  });
}
