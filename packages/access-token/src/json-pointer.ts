const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** The steps of a JSON pointer, or undefined where the text is none. @see RFC 6901 */
export const parseJsonPointer = (text: string): readonly string[] | undefined =>
  POINTER.test(text)
    ? text
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined

/** What these steps lead to, or undefined where one of them leads nowhere. */
export const valueAt = (steps: readonly string[], document: unknown): unknown =>
  steps.reduce<unknown>(
    (value, step) => (isContainer(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    document,
  )

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
