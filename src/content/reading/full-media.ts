import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem } from '../../errors/problem.js';
import { type MarkedMedia, markedMedia } from '../../fields/formats/media-url.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { JsonStream } from '../../http/responses/json-stream.js';
import type { ReadResult } from './entry-reader.service.js';
import type { Shape } from './shape.js';

/** Returns the members that a media value in full has besides `url` and `alt`, as JSON with a comma before, by the public ID of the file. */
type LookUp = (caller: Caller, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A value in full has at most about this many bytes, with the URLs of twelve variants. */
const VALUE_BYTES = 2_048;
/** Values that a response shows in full, without those of large entries. */
const MAX_VALUES = 5_000;
/** Values of large entries that are completed and sent together. */
const BATCH = 1_000;
/** Values that one step finds or writes. */
const PIECE = 500;

/**
 * Shows media values in full: all of a response with `view=full`, otherwise those of the media fields that `include` names. The values are
 * found in the JSON by their marks (`fields/formats/media-url.ts`), so nothing is parsed, and one statement reads all files. The media module
 * provides it.
 */
@Injectable()
export class FullMedia {
  private lookUp: LookUp = () => Promise.resolve(new Map());

  provide(lookUp: LookUp): void {
    this.lookUp = lookUp;
  }

  /**
   * Completes the media values of a response: all with the full shape, or else those that the reading shows in full. Large entries are
   * completed while they are sent. Throws a 400 if there are too many values.
   */
  async of(
    caller: Caller,
    response: JsonText | JsonStream,
    shape: Shape,
    reading: Pick<ReadResult, 'showsFiles'> | undefined,
  ): Promise<JsonText | JsonStream> {
    const isAll = shape === 'full';
    if (!isAll && !reading?.showsFiles) return response;
    if (response instanceof JsonText) {
      const { text, headers, status } = response;
      const found = await run(caller, text, allOf(text, isAll));
      if (found.length > MAX_VALUES) throw tooMany(isAll ? 'view' : 'include');
      return new JsonText(await this.complete(caller, text, found), headers, status);
    }
    const { pieces, bytes, headers, trailers } = response;
    return new JsonStream(
      () => this.completePieces(caller, pieces(), isAll),
      bytes + BATCH * VALUE_BYTES,
      headers,
      trailers,
    );
  }

  /**
   * The same for the answer to a write with the full shape. It cannot be refused, because the write is committed: if there are too many values, it
   * shows them as they are stored.
   */
  async ofWritten(caller: Caller, answer: JsonText): Promise<JsonText> {
    const { text, headers, status } = answer;
    const found = await run(caller, text, allOf(text, true));
    if (found.length > MAX_VALUES) return answer;
    return new JsonText(await this.complete(caller, text, found), headers, status);
  }

  private async *completePieces(caller: Caller, pieces: AsyncIterable<string>, isAll: boolean): AsyncGenerator<string> {
    for await (const piece of pieces) {
      const found = await run(caller, piece, allOf(piece, isAll));
      let start = 0;
      for (let from = 0; from < found.length; from += BATCH) {
        const batch = found.slice(from, from + BATCH);
        const end = batch.at(-1)?.end ?? piece.length;
        const own = batch.map((one) => ({ ...one, end: one.end - start }));
        yield await this.complete(caller, piece.slice(start, end), own);
        start = end;
      }
      yield piece.slice(start);
    }
  }

  private async complete(caller: Caller, json: string, found: readonly MarkedMedia[]): Promise<string> {
    if (found.length === 0) return json;
    const details = await this.lookUp(caller, [...new Set(found.map(({ mediaId }) => mediaId))]);
    return run(caller, json, completed(json, found, details));
  }
}

function run<Result>({ share }: Caller, json: string, steps: SlicedWork<Result>): Promise<Result> | Result {
  return heavyWork.runIf(isHeavy(json.length), share, steps);
}

function* allOf(json: string, isAll: boolean): SlicedWork<MarkedMedia[]> {
  const found: MarkedMedia[] = [];
  for (const one of markedMedia(json, isAll)) if (found.push(one) % PIECE === 0) yield;
  return found;
}

function* completed(
  json: string,
  found: readonly MarkedMedia[],
  details: ReadonlyMap<string, string>,
): SlicedWork<string> {
  const texts: string[] = [];
  let from = 0;
  for (const [index, { mediaId, end }] of found.entries()) {
    texts.push(json.slice(from, end), details.get(mediaId) ?? '');
    from = end;
    if (index % PIECE === PIECE - 1) yield;
  }
  return texts.join('') + json.slice(from);
}

function tooMany(parameter: string): Problem {
  return Problem.parameter(
    parameter,
    `The response would show more than ${MAX_VALUES} media values in full. Ask for a smaller page.`,
  );
}
