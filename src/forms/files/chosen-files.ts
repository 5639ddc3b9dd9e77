import { Problem, type ValueError } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { accepts } from '../../fields/constraints/accept.js';
import { maxBytesOf } from '../../fields/constraints/max-bytes.js';
import { isRecord, supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';
import { NAMELESS } from '../../media/files/file-name.js';
import { MAX_FILES } from './file-rules.js';
import type { ReceivedFile } from './received-files.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

interface ChosenFiles {
  /** The fields as they were sent, with the names of the files as the values of their fields. */
  fields: unknown;
  errors: ValueError[];
  /** The files of the submission, if there are no errors. */
  files: readonly ReceivedFile[];
  /** The hashes of the contents of the files, by field. */
  hashes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns what files mean for the fields of a form, and every error of them. Nothing but a file can be the value of a field of files.
 * `largest` is `MEDIA_MAX_BYTES`. Throws a 503 if files were only read because the form was another one when they arrived.
 */
export function chooseFiles(
  { fields: all }: Schema,
  sent: unknown,
  received: readonly ReceivedFile[],
  largest: number,
): ChosenFiles {
  const ofFiles = all.filter(({ type }) => type.isFile);
  if (ofFiles.length === 0 || !isRecord(sent)) return { fields: sent, errors: [], files: [], hashes: new Map() };
  const errors: ValueError[] = [];
  const names = new Map<string, string | string[]>();
  const hashes = new Map<string, string[]>();
  const files = received.filter(({ field }) => ofFiles.some(({ name }) => name === field));
  const beyond = new Set(files.slice(MAX_FILES));
  for (const field of ofFiles) {
    const { name, multiple } = field;
    const add = (code: ValueErrorCode, message: string) =>
      errors.push({ path: `fields.${name}`, code, message: `${name} ${message}.` });
    const own = files.filter((file) => file.field === name);
    const text = supplied(sent, name);
    const isText = text !== undefined && text !== '' && !(Array.isArray(text) && text.length === 0);
    if (isText) add('type', 'must be a file, sent as multipart/form-data');
    if (own.length > 1 && !multiple) add('duplicate', 'must be one file');
    if (own.some((file) => beyond.has(file))) add('too_many', `must not exceed ${MAX_FILES} files in all fields`);
    for (const file of own) if (!beyond.has(file)) checkFile(field, file, largest, add);
    // What is wrong is reported already, and not that the value is missing too.
    if (own.length === 0 && isText) names.set(name, NAMELESS);
    if (own.length === 0) continue;
    const ownNames = own.map((file) => file.name || NAMELESS);
    names.set(name, multiple ? ownNames : (ownNames[0] ?? ''));
    hashes.set(
      name,
      own.map(({ hash }) => hash),
    );
  }
  const others = Object.entries(sent).filter(([name]) => !ofFiles.some((field) => field.name === name));
  return { fields: Object.fromEntries([...others, ...names]), errors, files, hashes };
}

/** What is wrong with a file that no form may take; undefined if nothing is. */
export function faultOfFile(
  { name, size, inspected }: ReceivedFile,
  maxBytes: number,
): { code: ValueErrorCode; message: string } | undefined {
  if (name === '') return { code: 'format', message: 'must be sent with the name of the file' };
  if (size > maxBytes)
    return { code: 'too_large', message: `must have at most ${maxBytes} bytes, but ${name} has ${size}` };
  if (size === 0) return { code: 'empty', message: `must not be empty, but ${name} is` };
  if (!inspected?.isExecutable) return undefined;
  return { code: 'media_type', message: `must not be a program or a script, but ${name} is one` };
}

function checkFile(
  { definition }: CompiledField,
  file: ReceivedFile,
  largest: number,
  add: (code: ValueErrorCode, message: string) => void,
): void {
  const fault = faultOfFile(file, maxBytesOf(definition, largest));
  if (fault) return add(fault.code, fault.message);
  const { name, inspected, target } = file;
  if (!inspected || !target) throw Problem.unavailable('The form was changed while the files arrived. Send it again.');
  const { mimeType } = inspected;
  if (accepts(definition, mimeType)) return;
  const types = definition.accept?.join(', ') ?? '';
  add('media_type', `must be of the type ${types}, but ${name} is ${mimeType}`);
}
