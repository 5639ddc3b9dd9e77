import { IdParam } from '../ids/id-param.js';

/** Injects the UUID of the form in the path. */
export const FormIdParam = () =>
  IdParam(
    'form_id',
    'frm',
    'form',
    'This endpoint takes the ID of the form, not its slug. GET /v1/forms/{tenant_id}/{slug} returns the ID.',
  );
