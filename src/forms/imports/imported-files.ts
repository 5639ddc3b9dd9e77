import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ByteBudget } from '../../admission/byte-budget.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { NAMES } from '../../fields/definitions/definitions.js';
import { shorten } from '../../fields/formats/text.js';
import { readForm, type SentForm } from '../../http/bodies/form-body.js';
import type { SentFile } from '../../http/bodies/form-files.js';
import type { Caller } from '../../http/caller.js';
import { cleanName } from '../../media/files/file-name.js';
import { PrivateFiles } from '../../media/files/private-files.js';
import { UploadAdmission } from '../../media/uploads/upload-admission.js';
import { UploadFolder } from '../../media/uploads/upload-folder.js';
import { faultOfFile } from '../files/chosen-files.js';
import { inspectFile, MAX_FILE_BYTES, MAX_FILES } from '../files/file-rules.js';
import { type ReceivedFile, ReceivedFiles, type StoredFile } from '../files/received-files.js';
import { SubmissionFiles } from '../files/submission-files.js';
import { type ImportedSubmission, readSubmission } from './submission-lines.js';

/** The part of the body that has the submission as JSON. */
const PART = 'submission';
/** Bytes of that part: those of a line. */
const TEXT_BYTES = 1024 * 1024;
/** Memory holds the text, the parsed values and the rows. */
const HELD_BYTES = 4 * TEXT_BYTES;

/** A submission with its files, while they are in progress. */
export interface SubmissionWithFiles {
  submission: ImportedSubmission;
  isHeavy: boolean;
  /** The hashes of the contents of the files, by field. */
  hashes: ReadonlyMap<string, readonly string[]>;
  /** Stores the bytes of the files, unless they are stored already. Throws a 507 or 503. */
  store(): Promise<StoredFile[]>;
  /** Call this when the submission is committed with the files. */
  commit(): void;
}

/** Reads a submission that is sent as a form with its files, as one that was exported. */
@Injectable()
export class ImportedFiles {
  constructor(
    private readonly admission: UploadAdmission,
    private readonly bytes: ByteBudget,
    private readonly files: PrivateFiles,
    private readonly folder: UploadFolder,
    private readonly submissionFiles: SubmissionFiles,
  ) {}

  /**
   * Runs work on what the request sends. The files that were not committed are removed afterwards. Throws like `readForm`; a 422 that lists every
   * wrong value, a 403 if the tenant has no room for files, and a 503 if too many uploads are in progress.
   */
  async read<Result>(
    caller: Caller,
    request: Request,
    response: Response,
    work: (sent: SubmissionWithFiles) => Promise<Result>,
  ): Promise<Result> {
    const { tenantId } = caller;
    await this.submissionFiles.assertRoom(tenantId);
    const reservation = this.bytes.reserve(caller.share, HELD_BYTES);
    try {
      return await this.admission.run(tenantId, async (hold) => {
        const inProgress = await this.folder.open();
        const received = new ReceivedFiles(tenantId, { files: this.files, inProgress, leave: () => undefined });
        try {
          let count = 0;
          const targets = {
            targetOf: () =>
              ++count > MAX_FILES ? undefined : { path: inProgress.newPath(), maxBytes: MAX_FILE_BYTES },
            hold,
          };
          const limits = { text: TEXT_BYTES, files: MAX_FILE_BYTES, targets };
          const form = await this.folder.onDisk(() => readForm(request, response, limits));
          return await work(await checked(tenantId, form, received));
        } finally {
          await received.end();
        }
      });
    } finally {
      reservation.release();
    }
  }
}

/** Throws a 400 if the submission is not JSON, and a 422 that lists every wrong value. */
async function checked(tenantId: string, form: SentForm, received: ReceivedFiles): Promise<SubmissionWithFiles> {
  const files: ReceivedFile[] = [];
  const errors: ValueError[] = [...form.errors];
  for (const name of form.parts.keys()) {
    if (name !== PART)
      errors.push({
        path: shorten(name),
        code: 'unknown_property',
        message: `${shorten(name)} must be a file, or ${PART}.`,
      });
  }
  if (form.files.length > MAX_FILES) {
    errors.push({ path: 'body', code: 'too_many', message: `A submission has at most ${MAX_FILES} files.` });
  }
  for (const sent of form.files.slice(0, MAX_FILES)) {
    const file = await inspected(sent);
    const fault = isName(file.field) ? faultOfFile(file, MAX_FILE_BYTES) : NO_NAME;
    const path = `fields.${shorten(file.field)}`;
    if (fault) errors.push({ path, code: fault.code, message: `${shorten(file.field)} ${fault.message}.` });
    files.push(file);
  }
  const [text, ...others] = form.parts.get(PART) ?? [];
  if (text === undefined || others.length > 0) {
    const [code, message] =
      text === undefined ? (['required', 'is required'] as const) : (['duplicate', 'must be sent once'] as const);
    errors.push({ path: PART, code, message: `${PART} ${message}.` });
    throw Problem.invalid(errors);
  }
  const bytes = Buffer.from(text);
  const reading = readSubmission({ line: 1, lastLine: 1, separator: ',', bytes });
  const submission = await heavyWork.runIf(isHeavy(bytes.length), tenantId, reading);
  if (!submission)
    errors.push({ path: PART, code: 'required', message: `${PART} must have the values of a submission.` });
  if (!submission || errors.length > 0) throw Problem.invalid(errors);
  const hashes = new Map<string, string[]>();
  for (const { field, hash } of files) hashes.set(field, [...(hashes.get(field) ?? []), hash]);
  return {
    submission,
    isHeavy: isHeavy(bytes.length),
    hashes,
    store: () => received.store(files),
    commit: () => received.commit(),
  };
}

const NO_NAME = { code: 'unknown_property', message: 'is not the name of a field' } as const;

function isName(field: string): boolean {
  return NAMES.form.pattern.test(field) && !NAMES.form.reserved.includes(field);
}

async function inspected({ filename, declaredType, ...file }: SentFile): Promise<ReceivedFile> {
  const name = filename === '' ? '' : cleanName(filename);
  if (!file.target) return { ...file, name };
  return { ...file, name, inspected: await inspectFile(file.target.path, { filename, declaredType }) };
}
