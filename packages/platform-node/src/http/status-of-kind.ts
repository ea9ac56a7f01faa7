/**
 * The status code of each kind of outcome that the core foresees.
 * @see RFC 9110 section 15
 */
export const STATUS_OF_KIND = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  off: 409,
  gone: 410,
  changed: 412,
  invalid: 422,
  unavailable: 503,
} as const
