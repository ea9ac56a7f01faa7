import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { livenessOf, opened } from '../shared/wire.ts'

/** An answer exactly as it was sent, parsed without an HTTP library. */
export interface RawAnswer {
  readonly status: number
  /** In order, as they were written. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Whether it has no body because it answers HEAD. */
  readonly isBare: boolean
  readonly untilClose: boolean
}

export const fieldOf = ({ fields }: Pick<RawAnswer, 'fields'>, name: string): string | undefined =>
  fields.find(([field]) => field.toLowerCase() === name)?.[1]

/** The bytes are not a valid answer. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/
const BEGIN = Buffer.from('HTTP/1.1 ')

/**
 * All answers that came over a connection. An answer whose body should come, and the next answer comes instead, or nothing,
 * is one to HEAD.
 * @throws {NotAnAnswer} there is something else
 */
export const answersIn = (bytes: Buffer): RawAnswer[] => {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) throw new NotAnAnswer('the head has no end')
    const { status, fields } = headIn(bytes.toString('latin1', at, end))
    const after = end + 4
    const isNothing = after === bytes.length || bytes.subarray(after, after + BEGIN.length).equals(BEGIN)
    const hasNoBody = isNothing || status < 200 || status === 204 || status === 304
    const { body, next, untilClose } = bodyIn(bytes, after, fields, hasNoBody)
    const isBare = isNothing && fieldOf({ fields }, 'content-length') !== '0'
    if (status >= 200) answers.push({ status, fields, body, isBare, untilClose })
    at = next
  }
  return answers
}

const headIn = (text: string): Pick<RawAnswer, 'status' | 'fields'> => {
  const [first = '', ...lines] = text.split('\r\n')
  const status = STATUS_LINE.exec(first)?.[1]
  if (status === undefined) throw new NotAnAnswer('its first line is no status line')
  const fields = lines.map((line) => {
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (name === '') throw new NotAnAnswer('a line of its head is no header field')
    return [name, value] as const
  })
  return { status: Number(status), fields }
}

const bodyIn = (bytes: Buffer, begin: number, fields: RawAnswer['fields'], hasNoBody: boolean) => {
  const values = (name: string) => fields.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value)
  const [[length, another], isChunked] = [values('content-length'), values('transfer-encoding').length > 0]
  if (isChunked && length !== undefined) throw new NotAnAnswer('both a length and chunks')
  if (another !== undefined || !/^\d{1,15}$/.test(length ?? '0'))
    throw new NotAnAnswer('two lengths, or an invalid one')
  if (hasNoBody) return { body: Buffer.alloc(0), next: begin, untilClose: false }
  if (isChunked) return chunksIn(bytes, begin)
  const next = length === undefined ? bytes.length : begin + Number(length)
  if (next > bytes.length) throw new NotAnAnswer('it breaks off')
  return { body: bytes.subarray(begin, next), next, untilClose: length === undefined }
}

const chunksIn = (bytes: Buffer, begin: number) => {
  const pieces: Buffer[] = []
  for (let at = begin; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = bytes.toString('latin1', at, lineEnd)
    if (lineEnd < 0 || !/^[\da-f]{1,8}$/i.test(size)) throw new NotAnAnswer('a chunk without a size')
    const [from, to] = [lineEnd + 2, lineEnd + 2 + Number.parseInt(size, 16)]
    if (bytes.toString('latin1', to, to + 2) !== '\r\n') throw new NotAnAnswer('a chunk of another size, or cut off')
    if (to === from) return { body: Buffer.concat(pieces), next: to + 2, untilClose: false }
    pieces.push(bytes.subarray(from, to))
    at = to + 2
  }
}

/** Bytes, and how they are sent over a connection of their own. */
export interface Sent {
  readonly bytes: Buffer
  readonly way: 'whole' | 'halves' | 'bytes'
  readonly ending: 'half-close' | 'reset'
}

/** Milliseconds, enough for the service to read what was written. */
const PAUSE = 5
/** Milliseconds for which the service reads on after its answer. A client that pauses longer is reset. */
const LINGER = 2_000
/** Milliseconds without the end of a connection after which the service hangs, unless the machine is slow. */
export const PATIENCE = 20_000
/** Milliseconds within which a service that has a processor answers, and more, once the machine is not slow. */
const PROMPT = 500
const LAST_CHANCE = 3_000
const LONGEST = 300_000

/** Resolves when the service answers promptly, or not at all: a busy machine makes everything slow, which is no finding. */
const untilPrompt = async (port: number): Promise<void> => {
  for (const end = performance.now() + LONGEST; performance.now() < end; await sleep(PROMPT))
    if ((await livenessOf(port).catch(() => 0)) < PROMPT) return
}

/**
 * Writes the bytes to a connection of their own, and reads until the service closes it. `hangs`: it does not.
 * `halted`: this client itself paused, so that the answer may be lost.
 */
export const exchange = async (port: number, { bytes, way, ending }: Sent, patience = PATIENCE) => {
  const socket = await opened(port, { allowHalfOpen: true })
  const pieces: Buffer[] = []
  const over = new Promise<true>((resolve) => {
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    for (const event of ['end', 'close'] as const) socket.once(event, () => resolve(true))
  })
  const began = performance.now()
  const half = bytes.length >> 1
  const step = way === 'bytes' ? 1 : (way === 'halves' ? half : bytes.length) || 1
  for (let at = 0; at < bytes.length && socket.writable; at += step) {
    socket.write(bytes.subarray(at, at + step))
    // In a turn of its own, so that the system sends each piece separately.
    if (at + step < bytes.length) await (way === 'halves' ? sleep(PAUSE) : nextTurnOfTheLoop())
  }
  const halted = performance.now() - began > LINGER
  try {
    if (ending === 'reset') {
      await sleep(PAUSE)
      socket.resetAndDestroy()
      return { received: Buffer.alloc(0), hangs: false, halted: true }
    }
    socket.end()
    const within = async (milliseconds: number): Promise<boolean> => {
      const timer = new AbortController()
      const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false)
      const isOver = await Promise.race([over, late])
      timer.abort()
      return isOver
    }
    const isOver = (await within(patience)) || (await untilPrompt(port).then(() => within(LAST_CHANCE)))
    return { received: Buffer.concat(pieces), hangs: !isOver, halted }
  } finally {
    socket.destroy()
  }
}
