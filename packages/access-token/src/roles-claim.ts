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

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** The steps of a JSON pointer, or undefined where the text is not one. @see RFC 6901 */
export const parseJsonPointer = (text: string): readonly string[] | undefined =>
  POINTER.test(text)
    ? text
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined

/** What these steps lead to, or undefined where one of them leads nowhere. */
const valueAt = (steps: readonly string[], document: unknown): unknown =>
  steps.reduce<unknown>(
    (value, step) => (isContainer(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    document,
  )

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
