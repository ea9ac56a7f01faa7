/** Reads names, such as those of roles, out of a token's claims. */
export type NamesClaim = (claims: object) => readonly string[]

/** The names at a claim of this name or, where the text begins with a slash, at this JSON pointer. */
export const namesAt = (where: string): NamesClaim => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => namesIn(valueAt(steps, claims))
}

/** Whether there is something at this place that lists no names. */
export const isUnclearAt = (where: string): ((claims: object) => boolean) => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => {
    const value = valueAt(steps, claims) ?? ''
    return typeof value !== 'string' && !isList(value)
  }
}

/** An array of strings, or one space-separated string. Anything else lists none. */
const namesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return Object.freeze(value.split(' ').filter((name) => name !== ''))
  return Object.freeze(isList(value) ? [...value] : [])
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** Whose a token is, by the claim of this name; undefined where it does not say. */
export const subjectOf = (
  claims: object,
  { subjectClaim = 'sub' }: { readonly subjectClaim?: string | undefined },
): string | undefined => {
  const value = valueAt([subjectClaim], claims)
  return typeof value === 'string' && value !== '' ? value : undefined
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
