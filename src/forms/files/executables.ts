import { open } from 'node:fs/promises';
import { cleanName } from '../../media/files/file-name.js';

/**
 * The extensions of files that Windows, macOS, Linux or Android run or install when they are opened, whatever they contain. Among them are
 * links, which open a program or a place of the sender's choice, and settings that take effect when they are opened. Archives, disk images and
 * macros are not: opening them runs nothing by itself. Neither are scripts for which an interpreter must be installed first, except for Java.
 */
const EXTENSIONS: ReadonlySet<string> = new Set(
  [
    // Windows: programs and installers; scripts, and documents that contain scripts; links and settings.
    'appinstaller application appref-ms appx appxbundle com cpl exe gadget msi msix msixbundle msp pif scr xbap xll',
    'bat chm cmd hta js jse msc msh msh1 msh2 mshxml ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psm1 sct vb vbe vbs ws wsc wsf wsh',
    'diagcab inf library-ms lnk reg scf search-ms searchconnector-ms settingcontent-ms shb shs theme themepack url website',
    // Java.
    'jar jnlp',
    // macOS.
    'action app applescript command fileloc inetloc mobileconfig mpkg pkg scpt scptd terminal tool webloc workflow',
    // Linux and Android.
    'apk appimage csh deb desktop flatpakref flatpakrepo ksh rpm run sh snap zsh',
  ].flatMap((line) => line.split(' ')),
);

/** Types of programs, and of archives and links that systems run. */
const TYPES: ReadonlySet<string> = new Set([
  'application/java-archive',
  'application/java-vm',
  'application/vnd.android.package-archive',
  'application/wasm',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-msdownload',
  'application/x.ms.shortcut',
]);

/** The first bytes of programs: ELF, Java classes and universal Mach-O, Mach-O, WebAssembly; and the link of a shell. */
const SIGNATURES = [
  '7f454c46',
  'cafebabe',
  'cafebabf',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  '0061736d',
  '4c00000001140200',
];
const SCRIPT = /^(?:\ufeff)?#!/;
const HEAD_BYTES = 512;

/** Whether the file at `path` is a program, a script, or another file that runs when it is opened. `filename` is its name as it was sent. */
export async function isExecutable(path: string, filename: string, mimeType: string): Promise<boolean> {
  return hasExecutableName(filename) || TYPES.has(mimeType) || (await beginsAsProgram(path));
}

/** Whether the name, as it was sent, is that of a program. */
export function hasExecutableName(sent: string): boolean {
  return [sent, withoutStream(sent)].some((name) => {
    const [, extension = ''] = /\.([^.]+)$/.exec(cleanName(name).toLowerCase()) ?? [];
    return EXTENSIONS.has(extension);
  });
}

/** NTFS writes a file of the name `a.hta:x` into a stream of the file `a.hta`, and of the name `a.hta::$DATA` into this file itself. */
function withoutStream(name: string): string {
  const start = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1;
  const colon = name.indexOf(':', start);
  return colon < 0 ? name : name.slice(0, colon);
}

/** The library looks at more than the first bytes, and may take a program for something else. */
async function beginsAsProgram(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), length: HEAD_BYTES });
    const head = buffer.subarray(0, bytesRead);
    const hex = head.toString('hex', 0, 8);
    return (
      SIGNATURES.some((signature) => hex.startsWith(signature)) || SCRIPT.test(head.toString()) || isPortable(head)
    );
  } finally {
    await file.close();
  }
}

/** Programs of DOS and Windows begin with two letters, as a text may. */
function isPortable(head: Buffer): boolean {
  return head.toString('latin1', 0, 2) === 'MZ' && head.includes(0);
}
