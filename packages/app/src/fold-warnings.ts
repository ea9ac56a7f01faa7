import { MINUTE } from '@rollcall/core'

type Warn = (fields: object | string, message?: string) => void

export interface FoldedWarnings {
  readonly warn: Warn
  /** Writes the counts of warnings that have no line yet. */
  readonly flush: () => void
}

/** Equal warnings that came within a minute of a line. */
interface Fold {
  readonly timer: NodeJS.Timeout
  /** Those without a line of their own. */
  repeated: number
  /** Of the last one. */
  fields: object
  readonly message: string
}

const MOST_FOLDS = 200

/**
 * Equal warnings become one line at once, and then at most one a minute that says how many there were: what fails for
 * each of a thousand requests a second fills no disk.
 */
export const foldWarnings = (write: Warn): FoldedWarnings => {
  const folds = new Map<string, Fold>()

  const open = (key: string, fields: object, message: string): void => {
    const timer = setTimeout(() => close(key), MINUTE).unref()
    folds.set(key, { timer, repeated: 0, fields, message })
  }
  const settle = (key: string): Fold | undefined => {
    const fold = folds.get(key)
    if (fold === undefined) return undefined
    clearTimeout(fold.timer)
    folds.delete(key)
    if (fold.repeated > 0) write({ ...fold.fields, repeated: fold.repeated }, fold.message)
    return fold
  }
  const close = (key: string): void => {
    const fold = settle(key)
    // Another minute begins with the line that was just written.
    if (fold !== undefined && fold.repeated > 0) open(key, fold.fields, fold.message)
  }
  const warn: Warn = (given, text) => {
    const [fields, message] = typeof given === 'string' ? [{}, given] : [given, text ?? '']
    const key = keyOf(fields, message)
    const fold = folds.get(key)
    if (fold !== undefined) {
      fold.repeated++
      fold.fields = fields
      return
    }
    const [oldest] = folds.keys()
    if (folds.size >= MOST_FOLDS && oldest !== undefined) settle(oldest)
    open(key, fields, message)
    write(given, text)
  }
  const flush = (): void => {
    for (const key of [...folds.keys()]) settle(key)
  }
  return { warn, flush }
}

/** What each request, mail or event has of its own: a relay that is down is one trouble, whatever waits for it. */
const OF_ONE = new Set(['request_id', 'outbox', 'subscription', 'delivery', 'event', 'attempts'])

/** What makes warnings equal. */
const keyOf = (fields: object, message: string): string =>
  JSON.stringify([message, fields], (name, value) => {
    if (OF_ONE.has(name)) return undefined
    return value instanceof Error ? reasonOf(value) : value
  })

const DEEPEST = 3

const reasonOf = (error: unknown, depth = 0): readonly string[] =>
  error instanceof Error && depth < DEEPEST ? [error.name, error.message, ...reasonOf(error.cause, depth + 1)] : []
