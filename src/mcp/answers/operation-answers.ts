import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ByteBudget, type Reservation } from '../../admission/byte-budget.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Problem } from '../../errors/problem.js';
import { withMediaUrls } from '../../fields/formats/media-url.js';
import type { Caller } from '../../http/caller.js';
import { JsonText } from '../../http/http-adapter.js';
import { PublicUrl } from '../../http/public-url.js';
import { JsonStream } from '../../http/responses/json-stream.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { AskedOperation } from '../operations/indirect-request.js';
import type { Operation } from '../operations/operation.js';
import { ApiOperations } from '../operations/api-operations.js';
import type { ToolAnswer } from './answer.js';

/** More is not read of an answer, because an assistant is shown a small part of it. One entry may have half as many characters. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Memory holds the pieces, the text, its values and what is made of them. */
const COPIES = 4;

/** Runs an operation, and returns the values that it answers. Throws its problem. */
export type Run = (operation: Operation, asked: AskedOperation) => Promise<ToolAnswer>;

/** Runs operations and reads what they answer. */
@Injectable()
export class OperationAnswers {
  constructor(
    private readonly operations: ApiOperations,
    private readonly budget: ByteBudget,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Passes `work` a function that runs operations with the key of the client's request. Until the work has ended, the bytes of what they answer are
   * counted as the tenant's. Throws a 400 if there are too many.
   */
  async during<Result>(own: Request, work: (run: Run) => Promise<Result>): Promise<Result> {
    const held: Reservation[] = [];
    try {
      return await work(async (operation, asked) => {
        const { answer, caller } = await this.operations.run(own, operation, asked);
        return (await this.valuesOf(caller, answer, held)) as ToolAnswer;
      });
    } finally {
      for (const reservation of held) reservation.release();
    }
  }

  private async valuesOf({ share, tenantId }: Caller, answer: unknown, held: Reservation[]): Promise<unknown> {
    let text = '';
    for await (const piece of piecesOf(answer)) {
      held.push(this.budget.reserve(share, piece.length * COPIES));
      text += piece;
      if (text.length > MAX_CHARACTERS) throw tooMuch();
    }
    const json = withMediaUrls(text, this.publicUrl.base);
    return heavyWork.runIf(isHeavy(json.length), tenantId, parseSliced(json));
  }
}

function piecesOf(answer: unknown): AsyncIterable<string> | Iterable<string> {
  if (answer instanceof JsonStream) return answer.pieces();
  if (answer instanceof JsonText) return [answer.text];
  return [typeof answer === 'string' ? answer : JSON.stringify(answer)];
}

function tooMuch(): Problem {
  const detail = `The answer has more than ${MAX_CHARACTERS} characters. Ask for fewer records with per_page, or for some fields with select.`;
  return new Problem('invalid_parameter', detail);
}
