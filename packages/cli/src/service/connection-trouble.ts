import type { CliError } from '../cli-error.ts'
import { serverError } from './server-error.ts'

interface ConnectionTrouble {
  readonly code: string
  /** For a person, with what to do. */
  readonly sentence: string
  /** The request may have arrived; if false, nothing was sent. */
  readonly lost: boolean
  /** A server that answered before may do so again. */
  readonly passing: boolean
  /** Nothing came, for as long as one waits. */
  readonly silent: boolean
}

const UNKNOWN_AUTHORITY =
  'Its certificate is signed by an authority that is not known here. If you trust it, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
const NO_TLS = 'It does not speak TLS there: check the port, or whether the address begins with http.'
const NO_HTTP = 'It does not speak HTTP there: check the address and the port.'
const NO_AGREEMENT = 'It does not agree on how to encrypt: check the address and the port.'
const SILENT = 'There is no answer: check the address and the network.'
const NO_WAY = 'There is no route to this host: check the network.'
const LOST = 'The connection was lost: check the network, and try again.'

/** Nothing was sent, and soon it may be. */
const PASSING: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'Nothing listens there: check the address, and whether the server runs.',
  EAI_AGAIN: 'The name of the host cannot be looked up now: check the network.',
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: SILENT,
  UND_ERR_CONNECT_TIMEOUT: SILENT,
}

/** Nothing was sent, and nothing will be until something is fixed. */
const LASTING: Readonly<Record<string, string | undefined>> = {
  EACCES: 'This machine does not allow the connection: check the firewall.',
  ENOTFOUND: 'There is no such host: check the address.',
  CERT_HAS_EXPIRED: 'Its certificate has expired: renew it.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet: check the clocks.',
  CERT_REVOKED: 'Its certificate was revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Its certificate is signed by itself. If you trust it, set NODE_EXTRA_CA_CERTS to the file of the certificate.',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name: check the address.',
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  EPROTO: NO_AGREEMENT,
  'bad answer': NO_HTTP,
  'bad port': 'This port is reserved for another service, so clients refuse it: let the server have another.',
}

const TOO_SLOW = 'No answer came in time: try again, and see how the server is.'

/** What a failed `fetch` means; undefined if the connection was not the cause. */
export const connectionTrouble = (error: unknown): ConnectionTrouble | undefined => {
  const code = codeOf(error)
  if (code === undefined) return undefined
  if (code === TIMED_OUT) return { code, sentence: TOO_SLOW, lost: true, passing: true, silent: true }
  const passing = PASSING[code]
  if (passing !== undefined) return { code, sentence: passing, lost: false, passing: true, silent: false }
  const lasting = LASTING[code] ?? (/^ERR_(?:SSL|TLS)_/.test(code) ? NO_AGREEMENT : undefined)
  if (lasting !== undefined) return { code, sentence: lasting, lost: false, passing: false, silent: false }
  return { code, sentence: LOST, lost: true, passing: true, silent: false }
}

const TIMED_OUT = 'timed out'

/** Of the first error in the chain that has a code, or is known to lack one. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return TIMED_OUT
  if (error.name === 'HTTPParserError') return 'bad answer'
  if (error.message === 'bad port') return error.message
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined)
  return codeOf(error.cause)
}

export const notReachable = (server: string, { sentence, code }: ConnectionTrouble, cause: unknown): CliError =>
  serverError('ServerNotReachable', `The server ${server} cannot be reached (${code}). ${sentence}`, cause)

/** An answer that broke off after it had begun; whatever else was thrown stays as it is. */
export const lostPiece = (server: string, error: unknown): unknown => {
  const trouble = connectionTrouble(error)
  if (trouble === undefined) return error
  const message = `The connection to ${server} was lost during the answer (${trouble.code}). The output is not complete: run the command again.`
  return serverError('ConnectionLost', message, error)
}

/** Aborts a request when nothing was received for too long. */
export class IdleTimeout extends AbortController {
  #timer: NodeJS.Timeout | undefined

  /** Restarts the timeout, with this many milliseconds from now. */
  start(milliseconds: number): void {
    clearTimeout(this.#timer)
    // Not `AbortSignal.timeout`, which outlives the answer: of many quick answers, thousands of timers would be left.
    const expire = (): void => this.abort(new DOMException('Nothing was heard.', 'TimeoutError'))
    this.#timer = setTimeout(expire, milliseconds)
  }

  /** Nothing is waited for. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
