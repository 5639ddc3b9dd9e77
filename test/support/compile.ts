import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client/src');
/** Where the files seem to be. The folder exists, so that they find each other and packages. */
const PLACE = join(ROOT, 'test/client');

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  paths: {
    '@trivet/client': [join(CLIENT, 'index.ts')],
    '@trivet/client/request': [join(CLIENT, 'request/index.ts')],
    '@trivet/client/preview': [join(CLIENT, 'preview/index.ts')],
  },
};

/** Compiles files in memory as a program with `@trivet/client` has them. Returns the errors, as `name:line message`. */
export function compileErrors(files: Readonly<Record<string, string>>): string[] {
  return compile(files).errors;
}

/** The same, with how many types the compiler instantiated: how much work it was, on any machine. */
export function compile(files: Readonly<Record<string, string>>): { errors: string[]; instantiations: number } {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(PLACE, name), text]));
  const plain = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...plain,
    fileExists: (name) => texts.has(name) || plain.fileExists(name),
    readFile: (name) => texts.get(name) ?? plain.readFile(name),
    getSourceFile: (name, target, ...others) => {
      const text = texts.get(name);
      return text === undefined
        ? plain.getSourceFile(name, target, ...others)
        : ts.createSourceFile(name, text, target);
    },
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.slice(PLACE.length + 1) ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  return { errors, instantiations: program.getInstantiationCount() };
}
