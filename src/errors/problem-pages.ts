import type { ProblemCode } from './problem.js';

/** What each code means, and how to mend it. */
export const PROBLEM_PAGES: Record<ProblemCode, { meaning: string; remedy: string }> = {
  malformed_json: {
    meaning: 'The body is not a JSON object in UTF-8.',
    remedy: 'Send one JSON object, encoded as UTF-8, and check that nothing was cut off on the way.',
  },
  malformed_multipart: {
    meaning: 'The body is not valid multipart/form-data, or it ended before it was complete.',
    remedy: 'Let your HTTP library make the body and its Content-Type, boundary included, and send it again.',
  },
  invalid_parameter: {
    meaning: 'A part of the URL has a value that can not be used.',
    remedy: 'errors names the parameter and what it takes. Each parameter may be given once.',
  },
  unknown_parameter: {
    meaning: 'The query string has a parameter that this endpoint does not take.',
    remedy: 'Look the endpoint up in /docs; names are case-sensitive.',
  },
  unknown_field: {
    meaning: 'sort or filter names a field that the content type or form does not have.',
    remedy:
      'Get the content type to see its fields. The fields of entries that sort and filter too: id, status, created_at, updated_at.',
  },
  unauthorized: {
    meaning: 'There was no API key with the request, or one that is not known.',
    remedy: 'Send the header Authorization: Bearer <API_KEY>. A key that was rotated out stops working at once.',
  },
  forbidden: {
    meaning:
      'The API key is known, but it belongs to another tenant than the one in the path, or lacks the scope. Or a form was submitted by a ' +
      'page of an origin that the tenant does not allow. Or the URL asks for a variant of an image without the signature that the tenant ' +
      'demands.',
    remedy:
      'Use the tenant id that the key was made for. Reading needs the scope read, everything else write; a webhook also needs the scopes ' +
      'to read what its events carry. Origins are allowed by allowed_origins of the tenant. Get the signed URL of a variant from ' +
      'GET /v1/media/{tenant_id}/{media_id}/variant-url.',
  },
  not_found: {
    meaning: 'There is nothing at this path for this tenant.',
    remedy: 'Check the id: it may be of another kind of resource, or the resource may have been deleted.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but does not answer this method.',
    remedy: 'The header Allow lists the methods that it answers.',
  },
  conflict: {
    meaning:
      'The change contradicts what is stored: a slug is taken, stored values do not fit the new fields, or entries use the file.',
    remedy: 'Choose another slug; or mend the entries that are in the way first. Nothing was changed.',
  },
  precondition_failed: {
    meaning: 'The resource has changed since the version that If-Match names.',
    remedy: 'Get it again, merge your change, and send it with the new ETag.',
  },
  payload_too_large: {
    meaning: 'The body is larger than this endpoint takes.',
    remedy: 'Send less: 1 MiB for most endpoints, 256 KiB for a submission. Files belong into media.',
  },
  unsupported_media_type: {
    meaning: 'The body is not of the type that this endpoint takes.',
    remedy: 'Send Content-Type: application/json, encoded as UTF-8; for an upload, multipart/form-data.',
  },
  validation_failed: {
    meaning: 'The body was read, and some of its values are wrong.',
    remedy: 'errors lists every wrong value with its path, a code and a sentence.',
  },
  rate_limited: {
    meaning: 'Too many requests in a short time.',
    remedy: 'Wait for as many seconds as the header Retry-After says.',
  },
  internal_error: {
    meaning: 'Something went wrong on our side.',
    remedy: 'Try again; if it stays, tell the operator the request_id: the log has the cause under it.',
  },
  unavailable: {
    meaning: 'The service can not answer right now: its database is away, or it is overloaded.',
    remedy: 'Try again after as many seconds as the header Retry-After says. Nothing of the request was kept.',
  },
  insufficient_storage: {
    meaning: 'The disk or bucket that holds files is full. Your request is not at fault, and nothing of it was kept.',
    remedy: 'Tell the operator, and try again later. The service works again by itself as soon as there is room.',
  },
};
