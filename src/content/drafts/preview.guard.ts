import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { noPreview, PreviewLinksService } from './preview-links.service.js';
import type { PreviewTarget } from './preview-token.js';

type PreviewRequest = Request & { previewTarget?: PreviewTarget };

/**
 * The token in the path takes the place of an API key: it sets the caller, who has the tenant's share for public requests. Throws the same
 * 404 for every token that is not valid. Runs after the guards of all routes.
 */
@Injectable()
export class PreviewGuard implements CanActivate {
  constructor(private readonly links: PreviewLinksService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<PreviewRequest>();
    const found = await this.links.targetOf(String(request.params['token']));
    if (!found) throw noPreview();
    request.previewTarget = found.target;
    request.caller = found.caller;
    return true;
  }
}

/** Injects what the token in the path shows, on a route with the `PreviewGuard`. */
export const PreviewTargetParam = createParamDecorator((_data: unknown, context: ExecutionContext): PreviewTarget => {
  const { previewTarget } = context.switchToHttp().getRequest<PreviewRequest>();
  if (!previewTarget)
    throw new Error('A handler requests the target of a preview on a route without the PreviewGuard.');
  return previewTarget;
});
