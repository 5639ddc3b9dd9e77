import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { apiDocument } from './document.js';
import { expandFilters } from './expand-filters.js';

/** Swagger UI runs its own scripts, adds styles to the page, and sends requests only to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the document at `/openapi.json` and Swagger UI, ready to authorize and try out, at `/docs`. */
export function setUpDocs(app: NestExpressApplication): void {
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Referrer-Policy', 'no-referrer');
    next();
  });
  SwaggerModule.setup('docs', app, () => apiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Trivet API',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      requestInterceptor: expandFilters,
    },
  });
}
