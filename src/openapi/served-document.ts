import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.js';
import { StaticFile } from '../http/responses/static-file.js';
import type { ApiDocument } from './api-document.js';

/** Clients choose the Host header, so only a few texts are kept. */
const MAX_TEXTS = 8;

const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]{1,255}$/;

/** The OpenAPI document as clients receive it: its server is the URL under which they reach the service. */
export class ServedDocument {
  private readonly files = new LRUCache<string, StaticFile>({ max: MAX_TEXTS });

  constructor(
    private readonly config: Config,
    private readonly document: ApiDocument,
  ) {}

  fileFor(request: Request): StaticFile {
    const url = servedUrl(this.config, request);
    const file = this.files.get(url) ?? this.fileOf(url);
    this.files.set(url, file);
    return file;
  }

  private fileOf(url: string): StaticFile {
    const text = JSON.stringify(servedUnder(this.document.get(), url));
    return new StaticFile('application/json; charset=utf-8', text);
  }
}

/** The URL under which the client reaches the service. */
export function servedUrl(config: Config, request: Request): string {
  return config.hasPublicUrl ? config.publicUrl : originOf(request);
}

/** The document with its server, and with links that lead to pages of the service, which may be served below a path. */
export function servedUnder(document: OpenAPIObject, url: string): OpenAPIObject {
  const base = url === '/' ? '' : url;
  const description = document.info.description?.replaceAll('](/', `](${base}/`);
  const tags = document.tags?.map(({ externalDocs, ...tag }) =>
    externalDocs ? { ...tag, externalDocs: { ...externalDocs, url: base + externalDocs.url } } : tag,
  );
  const [server] = document.servers ?? [];
  return { ...document, info: { ...document.info, description }, tags, servers: [{ ...server, url }] };
}

/** The origin that the client used, as far as the Host header is a host; otherwise `/`, which means the same. */
function originOf(request: Request): string {
  const origin = `${request.protocol}://${request.host}`;
  return ORIGIN.test(origin) ? origin : '/';
}
