import { Module } from '@nestjs/common';
import { ApiDocument } from './api-document.js';

/** What the document of the API says, for other modules. */
@Module({ providers: [ApiDocument], exports: [ApiDocument] })
export class OpenApiModule {}
