import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operator } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { type ConsoleOptions, createConsoleApp, SHIPPED_TEXTS } from '../../src/index.ts'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface ShownPage {
  readonly path: string
  readonly text: string
}

type Request = (method: string, path: string, headers?: Headers, body?: string) => Promise<Answered>

type Fields = Readonly<Record<string, string | readonly string[]>>
type Headers = Readonly<Record<string, string | undefined>>

const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** The console over a service in memory, behind a real socket. */
export const openConsole = async (
  settings: Partial<ConsoleOptions> = {},
  ofCore: Parameters<typeof openMemoryService>[0] = {},
) => {
  const service = openMemoryService(ofCore)
  const problems: unknown[] = []
  const server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = settings.url ?? `http://127.0.0.1:${port}`
  const options: ConsoleOptions = {
    useCases: service.useCases,
    url,
    publicUrl: 'https://rollcall.example',
    deleteGrace: ofCore.deleteGrace ?? 0,
    theme: '',
    texts: SHIPPED_TEXTS,
    log: { ...LOG, error: (fields) => void problems.push(fields) },
    ...settings,
  }
  const pages: ShownPage[] = []
  const handle = createConsoleApp(options).callback()
  server.on('request', (asked, answer) => {
    const end = answer.end.bind(answer)
    answer.end = ((...rest: Parameters<typeof end>) => {
      const isPage = String(answer.getHeader('content-type')).startsWith('text/html')
      if (isPage && rest[0]) pages.push({ path: asked.url ?? '', text: String(rest[0]) })
      return end(...rest)
    }) as typeof answer.end
    void handle(asked, answer)
  })

  const request: Request = async (method, path, headers = {}, body = '') => {
    const given = Object.entries({ Host: new URL(url).host, ...headers }).filter(([, value]) => value !== undefined)
    const sent = http.request({ port, method, path, headers: Object.fromEntries(given), agent: false })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [http.IncomingMessage]
    const pieces: Buffer[] = []
    for await (const piece of answer) pieces.push(piece)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() }
  }
  const link = async (subject?: string) =>
    (await service.useCases.issueLoginLink.execute({ subject }, operator('ops'))).secret
  return {
    ...service,
    ...{ server, port, url, options, request, link, problems },
    /** Every page that was answered, in its turn. */
    pages,
    /** A browser of its own, with its cookies. */
    browser: () => new TestBrowser(request, url),
    /** The same, logged in: as the operator, or as a stored user. */
    loggedIn: async (subject?: string) => {
      const browser = new TestBrowser(request, url)
      await browser.post('/login', { link: await link(subject) })
      return browser
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type OpenConsole = Awaited<ReturnType<typeof openConsole>>

/** What a browser does about cookies and origins, and no more. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #request: Request
  readonly #origin: string

  constructor(request: Request, origin: string) {
    this.#request = request
    this.#origin = origin
  }

  get cookie(): string | undefined {
    const all = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return all.length === 0 ? undefined : all.join('; ')
  }

  async get(path: string, headers: Headers = {}): Promise<Answered> {
    return this.#kept(await this.#request('GET', path, { Cookie: this.cookie, ...headers }))
  }

  /** A form, from a page of the console itself unless the header fields say otherwise. */
  async post(path: string, fields: Fields = {}, headers: Headers = {}): Promise<Answered> {
    const all = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    )
    return await this.postBody(path, 'application/x-www-form-urlencoded', String(new URLSearchParams(all)), headers)
  }

  async postBody(path: string, type: string, body: string, headers: Headers = {}): Promise<Answered> {
    const own = {
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(body)),
      Origin: this.#origin,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie,
    }
    return this.#kept(await this.#request('POST', path, { ...own, ...headers }, body))
  }

  /** A form that has a file; a browser sends one without a name where none was chosen. */
  async upload(path: string, fields: Readonly<Record<string, string>>, file?: File, name = 'file'): Promise<Answered> {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set(name, file ?? new File([], ''))
    const sent = new Response(form)
    return await this.postBody(path, sent.headers.get('content-type') ?? '', await sent.text())
  }

  /** Sends the form, and follows where it leads. */
  async send(path: string, fields: Fields = {}): Promise<Answered> {
    const { status, headers, text } = await this.post(path, fields)
    if (status !== 303) throw new Error(`${path} answered ${status}: ${text}`)
    return await this.get(headers.location ?? '')
  }

  #kept(answer: Answered): Answered {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }
}
