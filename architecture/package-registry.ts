import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

export const sha512 = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

interface Published {
  readonly name: string
  readonly integrity: string
  readonly needs: readonly string[]
  readonly manifest: object
}

/** As much of a registry as `npm publish` and `npm view` ask for. */
export class PackageRegistry {
  readonly published: Published[] = []
  readonly #documents = new Map<string, string>()
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const name = decodeURIComponent((request.url ?? '').slice(1))
      if (request.method === 'PUT') {
        let body = ''
        for await (const piece of request.setEncoding('utf8')) body += piece
        this.#keep(JSON.parse(body), body)
      }
      const document = this.#documents.get(name)
      response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      response.end(document ?? '{"error":"Not found"}')
    })
  }

  static async open(): Promise<PackageRegistry> {
    const registry = new PackageRegistry()
    await once(registry.#server.listen(0, '127.0.0.1'), 'listening')
    return registry
  }

  /** As the settings of a user: a shell drops variables with such names as those of a token. */
  get settings(): string {
    const address = this.#server.address()
    const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    return `registry=http://${host}/\n//${host}/:_authToken=none\n`
  }

  #keep({ name, versions, _attachments }: Document, body: string): void {
    this.#documents.set(name, body)
    const [manifest] = Object.values(versions)
    const [attachment] = Object.values(_attachments)
    this.published.push({
      name,
      integrity: sha512(Buffer.from(attachment?.data ?? '', 'base64')),
      needs: Object.keys({ ...manifest?.dependencies, ...manifest?.peerDependencies }),
      manifest: manifest ?? {},
    })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

interface Document {
  readonly name: string
  readonly versions: Record<string, { readonly dependencies?: object; readonly peerDependencies?: object }>
  readonly _attachments: Record<string, { readonly data: string }>
}
