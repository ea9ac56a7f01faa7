/** A system call that has returned. Moments are line numbers of the trace. */
export interface TracedCall {
  readonly name: string
  /** As strace prints them. */
  readonly args: string
  readonly result: number
  readonly begun: number
  readonly ended: number
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<[^>]*>)?(?: .*)?$/
const UNFINISHED = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)(?:<[^>]*>)?(?: .*)?$/

/**
 * The calls in a trace of several processes and threads, in the order in which they returned. A call that did not
 * return, because its process was killed, is left out.
 */
export function* tracedCalls(lines: Iterable<string>): Generator<TracedCall> {
  const unfinished = new Map<string, { name: string; args: string; begun: number }>()
  let moment = 0
  for (const line of lines) {
    moment++
    const whole = WHOLE.exec(line)
    if (whole) {
      const [, , name = '', args = '', result = ''] = whole
      yield { name, args, result: Number(result), begun: moment, ended: moment }
      continue
    }
    const begun = UNFINISHED.exec(line)
    if (begun) {
      const [, thread = '', name = '', args = ''] = begun
      unfinished.set(thread, { name, args, begun: moment })
      continue
    }
    const [, thread = '', , rest = '', result = ''] = RESUMED.exec(line) ?? []
    const call = unfinished.get(thread)
    if (call === undefined) continue
    unfinished.delete(thread)
    yield { ...call, args: call.args + rest, result: Number(result), ended: moment }
  }
}

const TEXT = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g
const DESCRIPTOR = /^(\d+)<([^>]*)>(\(deleted\))?/
const LAST_NUMBERS = /, (\d+)(?:, (\d+))?$/

const decoded = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/**
 * The strings and buffers among the arguments, in order.
 * @throws {Error} strace has truncated one
 */
export const bytesIn = (args: string): Buffer<ArrayBuffer>[] =>
  [...args.matchAll(TEXT)].map(([, hex = '', cut]) => {
    if (cut !== undefined) throw new Error(`the trace has truncated a write: ${args.slice(0, 100)}`)
    return decoded(hex)
  })

/** The first file descriptor, and its path; empty if the file has no name any more. */
export const descriptorIn = (args: string): { readonly fd: number; readonly target: string } => {
  const [, fd = '-1', target = '', deleted] = DESCRIPTOR.exec(args) ?? []
  return { fd: Number(fd), target: deleted === undefined ? decoded(target).toString() : '' }
}

/** The last two numbers; the second is undefined if there is only one. */
export const numbersIn = (args: string): readonly [number, number | undefined] => {
  const [, first = '', second] = LAST_NUMBERS.exec(args) ?? []
  return [Number(first), second === undefined ? undefined : Number(second)]
}

/** Each pair of folder and relative path in the arguments of `openat` and similar calls. */
export const pathsIn = (args: string): string[] => {
  const bases = [...args.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>, "/g)].map(([, hex = '']) => decoded(hex).toString())
  return bytesIn(args).map((bytes, index) => {
    const path = bytes.toString()
    return path.startsWith('/') ? path : `${bases[index] ?? ''}/${path}`
  })
}
