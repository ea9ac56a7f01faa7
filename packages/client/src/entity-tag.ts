// Rollcall's own: a digest of 27 characters, always strong.
const CHANGED = /^$|^W\/|^"[\w-]{27}[^"]+"$/

/**
 * Whether a proxy has changed or removed an entity tag of Rollcall on the way, as those do that compress. A condition on
 * it never holds (RFC 9110 section 13.1.1).
 */
export const isChangedTag = (tag: string): boolean => CHANGED.test(tag)
