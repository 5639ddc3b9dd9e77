import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientAddress } from '../../http/client-address.js';
import { publicKey } from '../../admission/public-key.js';
import { releaseWithResponse } from '../../admission/release-with-response.js';
import { Config } from '../../config/config.js';
import { maxBytesOf } from '../../fields/constraints/max-bytes.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { tooSlow } from '../../http/bodies/body-pace.js';
import { isMultipart, readForm, type SentForm } from '../../http/bodies/form-body.js';
import type { FileTargets, SentFile } from '../../http/bodies/form-files.js';
import { exemptFromTimeout, restoreTimeout } from '../../http/request-timeout.js';
import { PrivateFiles } from '../../media/files/private-files.js';
import { UploadAdmission, type UploadPermit } from '../../media/uploads/upload-admission.js';
import { type FilesInProgress, UploadFolder } from '../../media/uploads/upload-folder.js';
import { Tenants } from '../../tenants/tenants.js';
import { FormSchemas } from '../form-schemas.js';
import { AddressUploads } from './address-uploads.js';
import { cleanName } from '../../media/files/file-name.js';
import { inspectFile, MAX_FILE_BYTES, MAX_FILES } from './file-rules.js';
import { type ReceivedFile, ReceivedFiles } from './received-files.js';
import { SubmissionFiles } from './submission-files.js';
import { UploadTimes } from './upload-times.js';

const CHECK_INTERVAL_MS = 1_000;

/** A form, and what came with it. */
interface FormWithFiles {
  form: SentForm;
  received: readonly ReceivedFile[];
  /** Undefined if the files were only read, because the form takes none. */
  files?: ReceivedFiles;
}

interface Upload {
  files: ReceivedFiles;
  inProgress: FilesInProgress;
  queueKey: UploadPermit;
  /** Called once if the upload is aborted so that another one gets its place. */
  makeRoom: () => void;
}

/**
 * Reads the forms that browsers send. Files go to the disk only if a field of the form takes files; then the upload needs a place among those
 * of the tenant, must not be too slow, and leaves nothing behind when the response is complete.
 */
@Injectable()
export class SubmissionUploads {
  private readonly ofAddress = new AddressUploads();
  /** Uploads that were aborted for others and still have their places. */
  private makingRoom = 0;

  constructor(
    private readonly admission: UploadAdmission,
    private readonly config: Config,
    private readonly files: PrivateFiles,
    private readonly folder: UploadFolder,
    private readonly forms: FormSchemas,
    private readonly submissionFiles: SubmissionFiles,
    private readonly tenants: Tenants,
    private readonly times: UploadTimes,
  ) {}

  /** Throws like `readForm`; a 404 if the form is unknown, a 403 if the tenant has no room for the files, a 408 if it takes too long, a 429 or 503 if there are too many uploads, and a 507 or 503 if the disk fails. */
  async read(request: Request, response: Response, text: number): Promise<FormWithFiles> {
    const fields = await this.fieldsFor(request);
    if (fields.size === 0) {
      const form = await readForm(request, response, { text, files: MAX_FILE_BYTES });
      return { form, received: await Promise.all(form.files.map(received)) };
    }
    const upload = await this.begin(request, response);
    return upload.files.keepDuring(this.receive(request, response, text, fields, upload));
  }

  private async receive(
    request: Request,
    response: Response,
    text: number,
    fields: ReadonlyMap<string, FieldDefinition>,
    { files, inProgress, queueKey, makeRoom }: Upload,
  ): Promise<FormWithFiles> {
    const tenantId = String(request.params['tenant_id']);
    const room = await this.submissionFiles.room(tenantId);
    let count = 0;
    let written = 0;
    const targets: FileTargets = {
      targetOf: (name) => {
        const field = fields.get(name);
        if (!field || ++count > MAX_FILES) return undefined;
        return { path: inProgress.newPath(), maxBytes: maxBytesOf(field, this.config.mediaMaxBytes) };
      },
      hold: (bytes) => {
        written += bytes;
        if (written > room) throw this.submissionFiles.refusal(tenantId);
        queueKey.hold(bytes);
      },
    };
    return this.folder.onDisk(async () => {
      const form = await this.inTime(request, makeRoom, (signal) =>
        readForm(request, response, { text, files: MAX_FILE_BYTES, targets, signal }),
      );
      const list: ReceivedFile[] = [];
      for (const file of form.files) list.push(await received(file));
      return { form, received: list, files };
    });
  }

  /** Returns the definitions of the fields that take files, by name. None if the request cannot contain files, or will be refused. */
  private async fieldsFor(request: Request): Promise<ReadonlyMap<string, FieldDefinition>> {
    const { tenant_id: tenantId = '', form_id: idOrSlug = '' } = request.params as Record<string, string>;
    if (!isMultipart(request) || !this.tenants.find(tenantId)) return new Map();
    // As it is now: what the form of before takes may not be what is checked when the files have arrived.
    const { schema, settings } = await this.forms.named(tenantId, idOrSlug, 0);
    const fields = settings.closed ? [] : schema.fields.filter(({ type }) => type.isFile);
    return new Map(fields.map(({ name, definition }) => [name, definition]));
  }

  /** Takes a place for the upload, until the response is complete and the files are removed or stored. */
  private async begin(request: Request, response: Response): Promise<Upload> {
    const tenantId = String(request.params['tenant_id']);
    const address = clientAddress(request);
    const leaveAddress = await this.ofAddress.enter(address, this.times.wait);
    let queueKey: UploadPermit | undefined;
    let roomMade = 0;
    const makeRoom = () => {
      roomMade = 1;
      this.makingRoom++;
    };
    const leave = () => {
      queueKey?.end();
      leaveAddress();
      this.makingRoom -= roomMade;
      roomMade = 0;
    };
    try {
      queueKey = await this.admission.begin(publicKey(tenantId, address));
      const inProgress = await this.folder.open();
      const files = new ReceivedFiles(tenantId, { files: this.files, inProgress, leave });
      releaseWithResponse(response, { bytes: 0, release: () => void files.end() });
      return { files, inProgress, queueKey, makeRoom };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Aborts the reading if the whole body takes too long, or if it keeps others waiting: a slow upload may take its time, but not the place of
   * an upload that waits. For each upload that waits, one slow upload makes room. This replaces the time-out of the server.
   */
  private async inTime<Result>(
    request: Request,
    makeRoom: () => void,
    read: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const { whole, grace, bytesPerSecond } = this.times;
    const { socket } = request;
    const startedAt = performance.now();
    const before = socket.bytesRead;
    const timer = setInterval(
      () => {
        const ms = performance.now() - startedAt;
        const isSlow = ms > grace && (socket.bytesRead - before) * 1_000 < bytesPerSecond * ms;
        const keepsWaiting = isSlow && this.admission.waiting > this.makingRoom;
        if (controller.signal.aborted || !(ms > whole || keepsWaiting)) return;
        if (keepsWaiting) makeRoom();
        controller.abort(tooSlow());
      },
      Math.min(CHECK_INTERVAL_MS, grace),
    );
    exemptFromTimeout(request);
    try {
      return await read(controller.signal);
    } finally {
      restoreTimeout(request);
      clearInterval(timer);
    }
  }
}

/** Inspects a file that was written completely. */
async function received({ filename, declaredType, ...file }: SentFile): Promise<ReceivedFile> {
  const { size, target } = file;
  const name = filename === '' ? '' : cleanName(filename);
  if (!target || size > target.maxBytes) return { ...file, name };
  return { ...file, name, inspected: await inspectFile(target.path, { filename, declaredType }) };
}
