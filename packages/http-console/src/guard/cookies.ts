import type { IncomingMessage } from 'node:http'

/**
 * A cookie that no other site, and over https no other host, can set or read. On loopback there is neither a certificate
 * nor another host, and a browser sends the cookies of one port to all: the name says the port.
 */
export class Cookie {
  readonly #name: string
  readonly #attributes: string

  constructor(name: string, origin: string) {
    const { protocol, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    this.#name = isSecure ? `__Host-${name}` : `${name}-${port || 80}`
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** Undefined also if there are two: one of them is not ours. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const found = (headers.cookie ?? '').split(/;\s*/).flatMap((pair) => {
      const at = pair.indexOf('=')
      return pair.slice(0, at) === this.#name ? [pair.slice(at + 1)] : []
    })
    return found.length === 1 ? found[0] : undefined
  }

  /** A header field that sets it; until the browser is closed, unless it says for how many seconds. */
  setting(value: string, maxAge?: number): string {
    return `${this.#name}=${value}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}${this.#attributes}`
  }

  get removal(): string {
    return this.setting('', 0)
  }
}
