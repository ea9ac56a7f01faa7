import { request } from './raw.ts'

/** Where slow clients come, and what ends their connections there. */
export interface Listener {
  readonly name: string
  readonly port: number
  /** Seconds for the header fields, for all of a request, and between two requests. */
  readonly head: number
  readonly body: number
  readonly idle: number
  /** The line of a request whose body is waited for, and of one whose answer is to be read. */
  readonly form: string
  readonly page: string
  /** Whether the system cannot buffer many answers to that. */
  readonly isLarge: boolean
}

export interface SlowClient {
  readonly name: string
  /** Seconds after which its connection is to be closed. */
  readonly timeout: number
  /** Sent at once. */
  readonly first: Buffer | string
  /** Sent every second after that. */
  readonly drip?: string
  readonly reads?: boolean
  /** Whether it ends its side after that, and goes on reading. */
  readonly ends?: boolean
}

/** Node counts 75 seconds twice where some of an answer was taken. */
const UNREAD = 150
/** What the kernel takes of answers that are not read is full by then, or the client has been told to close. */
const FILLING = 30
/** An answer that closes its connection leaves its client this long to close it, too. */
const LINGERING = 2

/** Every way of being slow that a listener may meet. */
export const slowClientsOf = ({ port, head, body, idle, form, page, isLarge }: Listener): readonly SlowClient[] => {
  const host = `Host: localhost:${port}`
  const begun = `${form} HTTP/1.1\r\n${host}\r\n`
  const fields = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n'
  const long = `${begun}${fields}Content-Length: 999\r\n\r\n`
  const one = request(page, [host])
  const insisting: SlowClient = {
    name: 'that read no answer and ask four times a second',
    timeout: UNREAD + FILLING,
    first: one,
    drip: one.toString().repeat(4),
    reads: false,
  }
  return [
    // Small answers are taken by the system for hours.
    ...(isLarge ? [insisting] : []),
    { name: 'that send nothing', timeout: head, first: '' },
    { name: 'that send an empty line a second', timeout: head, first: '', drip: '\r\n' },
    { name: 'that send their header byte by byte', timeout: head, first: `${begun}X: `, drip: 'x' },
    { name: 'that send a field a second', timeout: head, first: begun, drip: 'X: x\r\n' },
    { name: 'that send their body byte by byte', timeout: body, first: long, drip: 'a' },
    {
      name: 'that send their body in chunks of a byte',
      timeout: body,
      first: `${begun}${fields}Transfer-Encoding: chunked\r\n\r\n`,
      drip: '1\r\na\r\n',
    },
    { name: 'that send no more of their body', timeout: body, first: `${long}a` },
    {
      name: 'that wait to be told to send their body',
      timeout: body,
      first: `${begun}${fields}Expect: 100-continue\r\nContent-Length: 999\r\n\r\n`,
    },
    { name: 'that send no more after a request', timeout: idle, first: one },
    {
      name: 'that send an empty line a second after a request',
      timeout: idle + head,
      first: one,
      drip: '\r\n',
    },
    {
      name: 'that do not close as the service does',
      timeout: LINGERING,
      first: request(page, [host, 'Connection: close']),
    },
    { name: 'that ask for a tunnel', timeout: LINGERING, first: request('CONNECT x:80', [host]), drip: 'x' },
    {
      name: 'that ask for another protocol',
      timeout: LINGERING,
      first: request(page, [host, 'Connection: Upgrade', 'Upgrade: h2c']),
      drip: 'x',
    },
    { name: 'that send what is no request', timeout: LINGERING, first: 'x\r\n\r\n', drip: 'x' },
    { name: 'that end their side within a header', timeout: LINGERING, first: begun, ends: true },
    { name: 'that end their side within a body', timeout: LINGERING, first: long, ends: true },
    { name: 'that end their side after a request', timeout: idle, first: one, ends: true },
    { name: 'that read no answer', timeout: UNREAD, first: one.toString().repeat(400), reads: false },
    {
      name: 'that end their side and read no answer',
      timeout: UNREAD,
      first: one.toString().repeat(8),
      reads: false,
      ends: true,
    },
  ]
}
