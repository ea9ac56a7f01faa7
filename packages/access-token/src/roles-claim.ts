import { parseJsonPointer, valueAt } from './json-pointer.ts'

/** Reads the roles out of a token's claims. */
export type RolesClaim = (claims: object) => readonly string[]

/** The roles at a claim of this name or, where the text begins with a slash, at this JSON pointer. */
export const rolesAt = (where: string): RolesClaim => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => rolesIn(valueAt(steps, claims))
}

/** An array of strings, or one space-separated string. Anything else lists no role. */
const rolesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return Object.freeze(value.split(' ').filter((role) => role !== ''))
  const isList = Array.isArray(value) && value.every((role): role is string => typeof role === 'string')
  return Object.freeze(isList ? [...value] : [])
}
