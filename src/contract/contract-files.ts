import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { heavyWork } from '../admission/heavy-work.js';
import type { SlicedWork } from '../admission/sliced-work.js';
import { TenantCache } from '../admission/tenant-cache.js';
import { Config } from '../config/config.js';
import type { Caller } from '../http/caller.js';
import { StaticFile } from '../http/responses/static-file.js';
import { servedUrl } from '../openapi/served-document.js';
import { ContractReader } from './contract-reader.js';
import type { Contracted } from './contracted.js';

const CACHE_BYTES = 64 * 1024 * 1024;

/** One of the texts that a contract is written as. */
export interface ContractForm {
  /** Different for each of them. */
  name: string;
  /** The `Content-Type` of the response. */
  mediaType: string;
  /** Writes the text. `url` is the one under which the client reaches the service. */
  write: (contracted: Contracted, url: string) => SlicedWork<string>;
}

/**
 * Caches the texts of contracts. Other processes are not notified of changes: each request asks the database whether types or forms have other
 * versions (`ContractReader.stateFor`). The `ETag` is made of the text, so it stays if a change is not one of the schema.
 */
@Injectable()
export class ContractFiles {
  private readonly cache = new TenantCache<StaticFile>(CACHE_BYTES);
  private readonly writing = new Map<string, Promise<StaticFile>>();

  constructor(
    private readonly config: Config,
    private readonly reader: ContractReader,
  ) {}

  async fileFor(caller: Caller, form: ContractForm, request: Request): Promise<StaticFile> {
    const url = servedUrl(this.config, request);
    const types = caller.types ? [...caller.types].sort().join() : '*';
    const key = JSON.stringify([form.name, url, types, await this.reader.stateFor(caller)]);
    return this.cache.get(caller.tenantId, key) ?? this.written(caller, form, url, key);
  }

  /** Requests for the same text wait for one that writes it. */
  private async written(caller: Caller, form: ContractForm, url: string, key: string): Promise<StaticFile> {
    const name = `${caller.tenantId} ${key}`;
    const earlier = this.writing.get(name);
    if (earlier) return earlier;
    const writing = this.write(caller, form, url, key).finally(() => this.writing.delete(name));
    this.writing.set(name, writing);
    return writing;
  }

  private async write(caller: Caller, form: ContractForm, url: string, key: string): Promise<StaticFile> {
    const contracted = await this.reader.read(caller);
    const text = await heavyWork.run(caller.tenantId, form.write(contracted, url));
    const file = new StaticFile(form.mediaType, text);
    // The compressed texts are kept too.
    this.cache.set(caller.tenantId, key, file, text.length * 1.5);
    return file;
  }
}
