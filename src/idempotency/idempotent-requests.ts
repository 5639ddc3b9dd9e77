import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom } from 'rxjs';
import { type KeyedRequest, KeyedRequests } from '../access/idempotency/keyed-requests.js';
import { publicKey } from '../admission/public-key.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { Problem } from '../errors/problem.js';
import { JsonText } from '../http/http-adapter.js';
import { isForm, isMultipart, readForm, sentFormOf } from '../http/bodies/form-body.js';
import { assertJson, readBytes } from '../http/bodies/json-body.js';
import { type Answer, answerOf, idIn, uuidIn } from './answer.js';
import { StoredResponses, KeptMeanwhile, type KeyName, stillInProgress } from './stored-responses.js';
import type { StoredAnswer } from './stored-responses.sql.js';
import { digestOfRequest, digestOfForm } from './request-digest.js';
import { Resources } from './resources.js';

/** Returns what identifies the request; undefined if its body was read in part, and cannot be read again. */
type Digest = () => Promise<string | undefined>;

/** A handler that takes no body ignores one. More bytes would have to be admitted. */
const MAX_IGNORED_BYTES = 16 * 1024;
/** A larger body is not kept if its resource can be read again. */
const MAX_KEPT_BYTES = 256 * 1024;
/** Not kept in any case. Only the answer to a request with many parts can be so large. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Carries out each request with an `Idempotency-Key` once. The answer is kept in the commit of the change itself, so that the change and its
 * answer exist together or not at all (`Database.inUnitOfWork`).
 */
@Injectable()
export class IdempotentRequests extends KeyedRequests {
  /** The keys of the requests in progress here. Other processes are kept out by a lock (`StoredResponses.lock`). */
  private readonly inProgress = new Set<string>();

  constructor(
    private readonly answers: StoredResponses,
    private readonly database: Database,
    private readonly resources: Resources,
    private readonly modules: ModuleRef,
  ) {
    super();
  }

  async answer(keyed: KeyedRequest): Promise<unknown> {
    const takesForm = keyed.limits?.form !== undefined && isForm(keyed.request);
    if (keyed.limits && !takesForm) assertJson(keyed.request);
    const name = await this.nameOf(keyed);
    const digest = takesForm && isMultipart(keyed.request) ? streamedDigest(keyed) : await readDigest(keyed, takesForm);
    return this.alone(name, async () => {
      const kept = await this.answers.find(name);
      if (kept) return this.replay(kept, digest, keyed);
      try {
        return await this.carryOut(keyed, name, digest);
      } catch (error) {
        // Another process may have carried out the same request meanwhile. What failed here could be the consequence.
        const other = isFinal(error) ? await this.answers.find(name) : undefined;
        if (other && (await digest()) !== undefined) return this.replay(other, digest, keyed);
        throw error instanceof KeptMeanwhile ? stillInProgress() : error;
      }
    });
  }

  private async nameOf({ key, owner, request: { caller, params } }: KeyedRequest): Promise<KeyName> {
    const tenantId = caller?.tenantId ?? String(params['tenant_id']);
    const share = caller?.share ?? publicKey(tenantId);
    const resource = owner && this.modules.get(owner, { strict: false });
    return { tenantId, share, owner: (await resource?.ownerOfKeys(tenantId, params)) ?? '', key };
  }

  /** Throws a 409 if a request with the key is in progress in this process. */
  private async alone<Result>({ tenantId, owner, key }: KeyName, work: () => Promise<Result>): Promise<Result> {
    const id = `${tenantId} ${owner} ${key}`;
    if (this.inProgress.has(id)) throw stillInProgress();
    this.inProgress.add(id);
    try {
      return await work();
    } finally {
      this.inProgress.delete(id);
    }
  }

  private async carryOut({ request, response, next }: KeyedRequest, name: KeyName, digest: Digest): Promise<unknown> {
    const before = new Set(response.getHeaderNames());
    let lockedAt = '';
    const enter = async (first: Transaction) => {
      lockedAt = await this.answers.lock(first, name);
    };
    return this.database.inUnitOfWork({ ...name, enter }, async (end) => {
      const result: unknown = await lastValueFrom(next.handle());
      const answer = answerOf(result, response, before);
      const resource = uuidIn(answer.body) ?? null;
      const sent = await digest();
      if (sent === undefined) throw new Error('The handler did not read the body.');
      const kept = { ...answer, ...this.keptPart(request, answer), request: sent, resource };
      await end((last) => this.answers.keep(last, name, lockedAt, kept));
      return result;
    });
  }

  /** A body that is too large is not kept if a GET of its resource returns it too. Visitors without a key read nothing. */
  private keptPart(request: Request, { headers, body }: Answer): Pick<StoredAnswer, 'body' | 'location'> {
    const bytes = body === undefined ? Infinity : Buffer.byteLength(body);
    const location = headers['Location'] ?? headers['location'] ?? null;
    if (bytes <= MAX_KEPT_BYTES) return { body: body ?? null, location };
    const resource = location ?? resourceOf(request, idIn(body));
    if (this.resources.isReadable(resource, request)) return { body: null, location: resource };
    return { body: bytes <= MAX_BYTES ? (body ?? null) : null, location };
  }

  private async replay(kept: StoredAnswer, digest: Digest, { request, response }: KeyedRequest): Promise<unknown> {
    if (kept.request !== (await digest())) {
      const detail = 'This Idempotency-Key was used for another request within the last 24 hours. Use a new key.';
      throw new Problem('idempotency_key_reused', detail);
    }
    const headers = JSON.parse(kept.headers) as Record<string, string>;
    response.setHeader('Idempotency-Replayed', 'true');
    if (kept.body === '') {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.statusCode = kept.status;
      return undefined;
    }
    if (kept.body !== null) {
      response.statusCode = kept.status;
      return new JsonText(kept.body, headers);
    }
    return this.current(kept, request, response);
  }

  /** Returns the resource of a large answer as it is now. */
  private async current({ status, location }: StoredAnswer, request: Request, response: Response): Promise<unknown> {
    if (location === null) throw notKept();
    const result = await this.resources.read(location, request, response);
    response.statusCode = status;
    response.setHeader('Location', location);
    return result;
  }
}

/** Reads the body, which the handler reads again. */
async function readDigest({ request, response, limits }: KeyedRequest, isForm: boolean): Promise<Digest> {
  const maxBytes = isForm ? limits?.form : limits?.json;
  const digest = await digestOfRequest(request, await readBytes(request, response, maxBytes ?? MAX_IGNORED_BYTES));
  return () => Promise.resolve(digest);
}

/** A body with files is read once: by the handler, or otherwise to compare it. */
function streamedDigest({ request, response, limits }: KeyedRequest): Digest {
  return async () => {
    const { json: text = 0, files = 0 } = limits ?? {};
    const sent = sentFormOf(request);
    if (!sent && request.readableDidRead) return undefined;
    return digestOfForm(request, sent ?? (await readForm(request, response, { text, files })));
  };
}

/** Whether the request would fail again. */
function isFinal(error: unknown): boolean {
  return error instanceof KeptMeanwhile || (error instanceof Problem && error.status < 500);
}

/** The path at which a GET returns what the answer shows: that of the request, or for a POST that of the resource with the ID. */
function resourceOf({ method, path }: Request, id: string | undefined): string {
  if (method !== 'POST' || id === undefined) return path;
  const end = path.indexOf(`/${id}/`);
  return end < 0 ? `${path.replace(/\/$/, '')}/${id}` : path.slice(0, end + id.length + 1);
}

function notKept(): Problem {
  return Problem.notFound(
    'answer',
    'The request has succeeded, but its answer was too large to be kept, or what it showed was deleted.',
  );
}
