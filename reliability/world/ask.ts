import { type IncomingHttpHeaders, request } from 'node:http'

/** What a client got, as it came. */
export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address of this machine from which it is asked. */
  readonly from?: string | undefined
}

/** Over a connection of its own. @throws {Error} there was no complete answer */
export const ask = (port: number, path: string, { method = 'GET', headers = {}, body, from }: Asking = {}) =>
  new Promise<Got>((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { ...headers, ...length },
      ...(from === undefined ? {} : { localAddress: from }),
    }
    const asked = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
