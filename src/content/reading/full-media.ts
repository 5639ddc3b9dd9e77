import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runNow, type Steps } from '../../admission/steps.js';
import { Problem } from '../../errors/problem.js';
import { type MarkedMedia, markedMedia } from '../../fields/media-url.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { JsonStream } from '../../http/json-stream.js';
import type { Reading } from './readings.service.js';
import type { Shape } from './shape.js';

/** Returns the members that a media value in full has besides `url` and `alt`, as JSON with a comma before, by the public ID of the file. */
type LookUp = (caller: Caller, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Different files that a response shows in full, without those of large entries; and files that are looked up at once. */
const MAX_FILES = 1_000;
/** Values that one step finds or writes. */
const PIECE = 500;

/**
 * Shows media values in full: all of a response with `view=full`, otherwise those of the media fields that `include` names. The values are
 * found in the JSON by their marks (`fields/media-url.ts`), so nothing is parsed, and one statement reads all files. The media module
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
   * completed while they are sent. Throws a 400 if there are too many files.
   */
  async of(
    caller: Caller,
    response: JsonText | JsonStream,
    shape: Shape,
    reading: Pick<Reading, 'showsFiles'> | undefined,
  ): Promise<JsonText | JsonStream> {
    const isAll = shape === 'full';
    if (!isAll && !reading?.showsFiles) return response;
    if (response instanceof JsonText) {
      const text = await this.complete(caller, response.text, isAll, MAX_FILES);
      return text === response.text ? response : new JsonText(text, response.headers, response.status);
    }
    const { pieces, bytes, headers, trailers } = response;
    const completed = async function* (this: FullMedia) {
      for await (const piece of pieces()) yield await this.complete(caller, piece, isAll);
    };
    return new JsonStream(completed.bind(this), bytes, headers, trailers);
  }

  private async complete(caller: Caller, json: string, isAll: boolean, max = Infinity): Promise<string> {
    const run = <Result>(steps: Steps<Result>) =>
      isHeavy(json.length) ? heavyWork.run(caller.share, steps) : runNow(steps);
    const found = await run(allOf(json, isAll));
    if (found.length === 0) return json;
    const ids = [...new Set(found.map(({ mediaId }) => mediaId))];
    if (ids.length > max) throw tooMany(isAll ? 'view' : 'include');
    const details = new Map<string, string>();
    for (let from = 0; from < ids.length; from += MAX_FILES) {
      for (const [id, members] of await this.lookUp(caller, ids.slice(from, from + MAX_FILES)))
        details.set(id, members);
    }
    return run(completed(json, found, details));
  }
}

function* allOf(json: string, isAll: boolean): Steps<MarkedMedia[]> {
  const found: MarkedMedia[] = [];
  for (const one of markedMedia(json, isAll)) if (found.push(one) % PIECE === 0) yield;
  return found;
}

function* completed(json: string, found: readonly MarkedMedia[], details: ReadonlyMap<string, string>): Steps<string> {
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
    `The response would show more than ${MAX_FILES} files in full. Ask for a smaller page.`,
  );
}
