import { hasExecutableName } from './executables.js';

const NAMED = 'bat cmd ps1 vbs js jar apk msi lnk scr hta wsf wsh pif jse vbe cpl scf msc reg url com exe'.split(' ');
const OTHERS =
  'ps1xml msp gadget application appref-ms chm sct ws wsc inf desktop command webloc pkg deb jnlp xll'.split(' ');

describe('the name of a file', () => {
  it.each([...NAMED, ...OTHERS])('is that of a program with .%s, however it is written', (extension) => {
    for (const name of [
      `a.${extension}`,
      `a.pdf.${extension.toUpperCase()}`,
      `a.${extension}. .`,
      `a.${extension}\u00a0`,
      `a.${extension}\u200b`,
      `dir/a.${extension}`,
      `C:\\dir\\a.${extension}`,
      `a.${extension}:x`,
      `a.${extension}::$DATA`,
      `a.${extension} :x.txt`,
      `a.txt:b.${extension}`,
    ]) {
      expect([name, hasExecutableName(name)]).toEqual([name, true]);
    }
  });

  it.each([
    'cv.pdf',
    'photo.jpeg',
    'archive.zip',
    'disk.iso',
    'js',
    'notes about .exe files.txt',
    'setup.exe/readme.txt',
    'Re: setup.exe: how to.txt.pdf',
    'a.constructor',
    '',
  ])('is not that of a program: %s', (name) => {
    expect(hasExecutableName(name)).toBe(false);
  });
});
