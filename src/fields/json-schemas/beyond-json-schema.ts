/**
 * What the check of values demands, and JSON Schema cannot say, as the documentation lists it. Apart from this, a value is valid for the service if
 * and only if it is valid for the schema of a new record (`ValueSchemas`).
 */
export const BEYOND_JSON_SCHEMA = [
  'a `unique` value that another entry has',
  'a reference to an entry, or the `id` of a file, that does not exist',
  'a `pattern` that ECMAScript cannot say (flags such as `(?i)`, POSIX classes), or a text that is too long to be matched within the limits of a request',
  'of an `email`, the number of bytes of its parts, characters that nobody sees, and what IDNA does not allow in the domain',
  'of a `url`, and of the URL of a file: a host or port that no URL can have',
  'of a URL or an email, a length that is counted in UTF-16 code units instead of characters',
  'a `datetime` that its offset takes out of the years 0001 to 9999',
  'numbers that a double does not keep, and texts that cannot be stored: with U+0000 or half of a surrogate pair',
  'the limits of a body, and a default that is no longer valid',
] as const;
