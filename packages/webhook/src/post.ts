import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { WebhookRefused } from '@rollcall/core'

export interface Timeouts {
  /** Milliseconds until there must be a connection, encrypted where it is to be. */
  readonly connect: number
  /** Milliseconds until there must be an answer. */
  readonly answer: number
}

export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** What the clock of the target says. */
  readonly date: string | undefined
  /** The beginning of its body. */
  readonly head: string
}

interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Breaks off what is under way. */
  readonly signal: AbortSignal
}

/** What of an answer's body is read, and for how many milliseconds, for the connection to be of further use. */
const MOST_READ = 64 * 1024
const LONGEST_READ = 250
/** Bytes of it that are of use to a person. */
const HEAD = 1_000

/**
 * Sends the request, and gives the status of the answer once its connection is free or gone, and the beginning of its
 * body. No redirect is followed. A connection that was kept and turns out to be gone is replaced, once.
 */
export const post = async (request: Post, agent: Agent, timeouts: Timeouts): Promise<Answer> => {
  try {
    return await once(request, agent, timeouts)
  } catch (error) {
    if (!(error instanceof ConnectionGone)) throw error
    return await once(request, agent, timeouts)
  }
}

/** For who starts Node.js by hand. */
const ADVICE_OF_NODE = /; if the root CA is installed locally, .*/

class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
}

const once = ({ url, headers, body, signal }: Post, agent: Agent, { connect, answer }: Timeouts): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const encrypted = url.protocol === 'https:'
    const send = encrypted ? httpsRequest : httpRequest
    const request = send(url, {
      method: 'POST',
      agent,
      signal,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    let isAnswered = false
    const late = (message: string) => () => request.destroy(new WebhookRefused(message))
    const connecting = setTimeout(late(`The target could not be reached within ${connect / 1_000} s.`), connect)
    const waiting = setTimeout(late(`The target gave no answer within ${answer / 1_000} s.`), answer)
    const settled = (): void => {
      clearTimeout(connecting)
      clearTimeout(waiting)
    }
    request.on('socket', (socket) => {
      const connected = (): void => clearTimeout(connecting)
      if (request.reusedSocket) connected()
      else socket.once(encrypted ? 'secureConnect' : 'connect', connected)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      settled()
      error.message = error.message.replace(ADVICE_OF_NODE, '; if you trust who signed it, set NODE_EXTRA_CA_CERTS')
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new ConnectionGone(error.message) : error)
    })
    // Node gives an answer that switches protocols to nobody else, and no error.
    request.on('upgrade', ({ statusCode = 101 }, socket) => {
      settled()
      socket.destroy()
      resolve({ status: statusCode, retryAfter: undefined, date: undefined, head: '' })
    })
    request.on('close', () => {
      settled()
      if (!isAnswered) reject(new WebhookRefused('The target closed the connection without an answer.'))
    })
    request.on('response', (response) => {
      isAnswered = true
      settled()
      const head = drain(response)
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          date: response.headers.date,
          head: beginningOf(Buffer.concat(head), response.complete),
        }),
      )
    })
    request.end(body)
  })

/** Without a word that was cut: it may have been one of those that must not be kept, which are known as a whole. */
const beginningOf = (bytes: Buffer, isComplete: boolean): string => {
  const text = bytes.toString('utf8', 0, HEAD)
  return isComplete && bytes.length <= HEAD ? text : text.replace(/[^\s"]*$/, '')
}

/** Lets go of what goes on for too long, or goes wrong: its beginning said all there was to know. */
const drain = (response: IncomingMessage): Buffer[] => {
  let read = 0
  const head: Buffer[] = []
  const timer = setTimeout(() => response.destroy(), LONGEST_READ)
  response.on('data', (chunk: Buffer) => {
    if (read <= HEAD) head.push(chunk.subarray(0, HEAD + 1))
    read += chunk.length
    if (read > MOST_READ) response.destroy()
  })
  response.on('error', () => response.destroy())
  response.on('close', () => clearTimeout(timer))
  return head
}
