import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document of the application. It is generated when it is first needed. */
@Injectable()
export class ApiDocument {
  private generate?: () => OpenAPIObject;
  private document?: OpenAPIObject;

  /** Must be called before the application listens. */
  generateWith(generate: () => OpenAPIObject): void {
    this.generate = generate;
  }

  get(): OpenAPIObject {
    if (!this.generate) throw new Error('The application has no document.');
    return (this.document ??= this.generate());
  }
}
