const TEXT = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g
const DESCRIPTOR = /^(\d+)<([^>]*)>(\(deleted\))?/
const LAST_NUMBERS = /, (\d+)(?:, (\d+))?$/

const decoded = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/**
 * The strings and buffers among the arguments, in order.
 * @throws {Error} strace has cut one short
 */
export const bytesIn = (args: string): Buffer<ArrayBuffer>[] =>
  [...args.matchAll(TEXT)].map(([, hex = '', cut]) => {
    if (cut !== undefined) throw new Error(`the trace has cut short what was written: ${args.slice(0, 100)}`)
    return decoded(hex)
  })

/** The file descriptor that comes first, and what it stands for; nothing where that has no name any more. */
export const descriptorIn = (args: string): { readonly fd: number; readonly target: string } => {
  const [, fd = '-1', target = '', deleted] = DESCRIPTOR.exec(args) ?? []
  return { fd: Number(fd), target: deleted === undefined ? decoded(target).toString() : '' }
}

/** The last two numbers; where there is but one, the second is undefined. */
export const numbersIn = (args: string): readonly [number, number | undefined] => {
  const [, first = '', second] = LAST_NUMBERS.exec(args) ?? []
  return [Number(first), second === undefined ? undefined : Number(second)]
}

/** The folder that a relative path is seen from, and the path, of each pair of them in `openat` and its like. */
export const pathsIn = (args: string): string[] => {
  const bases = [...args.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>, "/g)].map(([, hex = '']) => decoded(hex).toString())
  return bytesIn(args).map((bytes, index) => {
    const path = bytes.toString()
    return path.startsWith('/') ? path : `${bases[index] ?? ''}/${path}`
  })
}
