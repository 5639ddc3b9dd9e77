import { Injectable } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';
import { Tenants } from '../../tenants/tenants.js';
import { FormSchemas } from '../form-schemas.js';
import { Challenges } from './challenges.js';
import type { ChallengeDto } from './spam.dto.js';

/** Gives challenges to visitors. */
@Injectable()
export class ChallengesService {
  constructor(
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
    private readonly challenges: Challenges,
  ) {}

  /** Returns the JSON of a challenge and a time token for the form, whether or not it asks for them. Throws a 404 if it is unknown. */
  async create(tenantId: string, idOrSlug: string): Promise<string> {
    if (!this.tenants.find(tenantId)) throw Problem.notFound('form');
    const { id: formId, settings } = await this.forms.named(tenantId, idOrSlug, 0);
    const form = { tenantId, formId };
    const challenge = (await this.challenges.create(form)) as Pick<ChallengeDto, 'parameters' | 'signature'>;
    const required = settings.spam?.challenge === true;
    return JSON.stringify({ ...challenge, required, _t: this.challenges.timeToken(form) } satisfies ChallengeDto);
  }
}
