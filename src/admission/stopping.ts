import { Injectable } from '@nestjs/common';

/** Tells work that takes long, such as an import, that the process is stopping. */
@Injectable()
export class Stopping {
  private readonly controller = new AbortController();

  get hasBegun(): boolean {
    return this.controller.signal.aborted;
  }

  begin(): void {
    this.controller.abort();
  }
}
