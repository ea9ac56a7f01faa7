import { hash } from 'node:crypto'

/** A strong entity tag over the bytes of a representation, quotes included. */
export const entityTagOf = (representation: string): string =>
  `"${hash('sha256', representation, 'base64url').slice(0, 27)}"`

const TAG = /^(W\/)?("[\x21\x23-\x7e\u0080-\u00ff]*")$/

const tagsOf = (field: string): string[] => field.split(',').map((tag) => tag.trim())

/** RFC 9110 section 13.1.1: strong comparison; a weak tag matches nothing. */
export const matchesStrongly = (field: string, current: string | undefined): boolean => {
  if (current === undefined) return false
  return field.trim() === '*' || tagsOf(field).includes(current)
}

/** RFC 9110 section 13.1.2: weak comparison. */
export const matchesWeakly = (field: string, current: string | undefined): boolean => {
  if (field.trim() === '*') return current !== undefined
  const opaque = current && TAG.exec(current)?.[2]
  return opaque !== undefined && tagsOf(field).some((tag) => TAG.exec(tag)?.[2] === opaque)
}
