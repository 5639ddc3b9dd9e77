import type { ProblemCode } from '../errors/problem.js';

/** What each code means, and how to fix it. */
export const PROBLEM_PAGES: Record<ProblemCode, { meaning: string; remedy: string }> = {
  malformed_json: {
    meaning: 'The request body is not a JSON object encoded as UTF-8.',
    remedy:
      'detail names the line and the column, both counted from 1. Send one JSON object, encoded as UTF-8. Check that the body is not ' +
      'cut off before it reaches the service, and that your shell does not change its quotation marks.',
  },
  malformed_csv: {
    meaning:
      'A line of CSV cannot be read: a quotation mark is missing or in a wrong place, or the line has more cells than the header.',
    remedy:
      'Write a cell with commas, line ends or quotation marks in quotation marks, and double each quotation mark in it (RFC 4180). ' +
      'Cells are separated by commas.',
  },
  malformed_multipart: {
    meaning: 'The request body is not valid multipart/form-data, or it ended before it was complete.',
    remedy:
      'Let your HTTP library create the body and its Content-Type header, including the boundary. Then send the ' +
      'request again.',
  },
  invalid_parameter: {
    meaning: 'A part of the URL or of the headers has a value that is not valid.',
    remedy: 'detail or errors names the parameter and the values that it accepts. Send each parameter at most once.',
  },
  unknown_parameter: {
    meaning: 'The query string contains a parameter that this endpoint does not accept.',
    remedy:
      'detail lists the parameters of the endpoint. Names are case-sensitive. A field is filtered with filter[field]=value.',
  },
  unknown_field: {
    meaning: 'sort or filter names a field that the content type or form does not have.',
    remedy:
      'detail lists the possible names. To sort by a field, send sort=title for ascending or sort=-title for descending order. You can ' +
      'also sort and filter entries by id, status, created_at and updated_at.',
  },
  unauthorized: {
    meaning: 'The request has no API key, or its API key is unknown.',
    remedy:
      'Send the header Authorization: Bearer &lt;API_KEY&gt;. A key that was removed from the configuration stops working when the service restarts.',
  },
  forbidden: {
    meaning:
      'The API key is known, but it does not belong to the tenant in the path, or it lacks the required scope. ' +
      'Or a form was submitted from a page of an origin that the tenant does not allow. Or the URL requests a ' +
      'variant of an image without the signature that the tenant requires.',
    remedy:
      'detail names the missing scope. Use the ID of the tenant that the key belongs to. Reading requires the scope read, and all other ' +
      'requests require write, for all resources or for this kind (content:read). A webhook also requires the scopes to read the data of its events. The setting ' +
      'allowed_origins of the tenant lists the allowed origins. Get the signed URL of a variant from GET ' +
      '/v1/media/{tenant_id}/{media_id}/variant-url.',
  },
  limit_reached: {
    meaning:
      'The configuration of the tenant limits how much it may store, and the request would exceed the limit. Nothing from it was saved.',
    remedy:
      'detail names the limit, and GET /v1/usage/{tenant_id} shows all limits and what the tenant uses. Delete what is no longer needed, ' +
      'or ask the operator for a higher limit.',
  },
  not_found: {
    meaning: 'Nothing exists at this path for this tenant.',
    remedy: 'Check the ID. It may be the ID of another kind of resource, or the resource may have been deleted.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but it does not support this method.',
    remedy: 'The header Allow lists the supported methods.',
  },
  request_timeout: {
    meaning:
      'The headers or the body of the request arrived too slowly: a body must bring at least 1 KiB in every 30 seconds, and be complete in ' +
      'the time that the service allows for a request. Nothing from it was saved, except lines of an import that were reported before.',
    remedy:
      'Send the request again on a new connection, because this one was closed. Create a body before you send it. If the connection is slow, ' +
      'send less at once.',
  },
  conflict: {
    meaning:
      'The change contradicts what is stored: a slug is taken, stored values do not match the new fields, entries ' +
      'use the file, the webhook is inactive, the event is no longer stored, or fields of a draft were changed on the live entry. Or ' +
      'a request with the same Idempotency-Key is still in progress.',
    remedy:
      'Choose another slug, fix the entries that prevent the change, or make the webhook active. Compare the draft with the live entry ' +
      'and publish it with force=true, or discard it. If there is a header Retry-After, send the request again after this number of ' +
      'seconds. Nothing was changed.',
  },
  precondition_failed: {
    meaning: 'The resource has changed since the version that If-Match names.',
    remedy: 'Get the resource again, merge your change, and send it with the new ETag.',
  },
  payload_too_large: {
    meaning: 'The request body is larger than this endpoint allows.',
    remedy:
      'Send a smaller body. Most endpoints allow 1 MiB, and a submission can have 256 KiB. Upload files as media.',
  },
  unsupported_media_type: {
    meaning: 'The request body does not have the content type that this endpoint requires.',
    remedy:
      'Send Content-Type: application/json with a body encoded as UTF-8. For an upload, send multipart/form-data.',
  },
  validation_failed: {
    meaning: 'The request body was read, but some of its values are not valid.',
    remedy: 'errors lists every invalid value with its path, a code and a message.',
  },
  idempotency_key_reused: {
    meaning:
      'The Idempotency-Key has been used for a request with another method, path, query or body within the last 24 hours. Nothing was ' +
      'changed.',
    remedy:
      'Use a new key for each operation, for example a random UUID. To send a request again, repeat exactly the same bytes with the same ' +
      'key.',
  },
  rate_limited: {
    meaning: 'Too many requests were sent in a short time.',
    remedy: 'Wait for the number of seconds that the header Retry-After contains.',
  },
  internal_error: {
    meaning: 'The service could not process the request because of an internal error.',
    remedy:
      'Send the request again. If the error persists, give the request_id to the operator: the log contains the ' +
      'cause under this ID.',
  },
  unavailable: {
    meaning:
      'The service cannot process the request right now because its database is not available or because it is ' +
      'overloaded.',
    remedy:
      'Send the request again after the number of seconds that the header Retry-After contains. Usually nothing from ' +
      'the request was saved; if the connection to the database broke, check the result first.',
  },
  insufficient_storage: {
    meaning:
      'The disk or bucket that stores files is full. Your request is not the cause, and nothing from it was saved.',
    remedy:
      'Tell the operator, and try again later. The service recovers without a restart when there is free space ' +
      'again.',
  },
};
