import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly value: unknown
}

/** Answers JSON on a port of its own. */
const serve = async (answer: (request: Request) => Answer | Promise<Answer>) => {
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', headers } = incoming
    const url = new URL(incoming.url ?? '', `http://${headers.host}`)
    const { status = 200, headers: more, value } = await answer({ method, url, headers, body: await buffer(incoming) })
    outgoing.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * What the signature of a request must be, as the server works it out of the request itself.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const awsSignature = ({ method, url, headers, body }: Request, secret: string): string => {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(`${headers.authorization}`) ?? []
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const request = [method, url.pathname, url.search.slice(1), lines.join(''), names, sha256(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, toSign).toString('hex')
}

interface SesMail {
  readonly Destination: { readonly ToAddresses: readonly string[] }
  readonly Content: {
    readonly Simple: {
      readonly Body: { readonly Text: { readonly Data: string } }
      readonly Headers: readonly { readonly Name: string; readonly Value: string }[]
    }
  }
}

/** `POST /v2/email/outbound-emails`: refuses a wrong signature, and is too busy for the first mail. */
export const serveSes = async (secret: string, isRefused: (address: string) => boolean | Promise<boolean>) => {
  const mails: SesMail[] = []
  const error = (status: number, type: string): Answer => ({
    ...{ status, value: { message: type } },
    headers: { 'x-amzn-ErrorType': `${type}:http://internal.amazon.com/coral/com.amazonaws.sesv2/` },
  })
  let isBusy = true
  const server = await serve(async (request) => {
    const { method, url, headers, body } = request
    if (method !== 'POST' || url.pathname !== '/v2/email/outbound-emails')
      return error(404, 'UnknownOperationException')
    if (!headers.authorization?.endsWith(`Signature=${awsSignature(request, secret)}`))
      return error(403, 'InvalidSignatureException')
    if (isBusy) {
      isBusy = false
      return error(429, 'TooManyRequestsException')
    }
    const mail = JSON.parse(body.toString()) as SesMail
    const [address = ''] = mail.Destination.ToAddresses
    if (await isRefused(address)) return error(400, 'BadRequestException')
    // What Amazon allows of a header field.
    const isAllowed = ({ Name, Value }: { Name: string; Value: string }) =>
      /^[!-9;-@A-~]{1,126}$/.test(Name) && /^[ -~]{1,870}$/.test(Value)
    if (!mail.Content.Simple.Headers.every(isAllowed)) return error(400, 'BadRequestException')
    mails.push(mail)
    return { value: { MessageId: `0102-${mails.length}` } }
  })
  return { ...server, mails }
}

interface PostmarkMessage {
  readonly To: string
  readonly TextBody: string
  readonly MessageStream: string
  readonly Metadata: Readonly<Record<string, string>>
  readonly Headers: readonly { readonly Name: string; readonly Value: string }[]
}

/** `POST /email/batch`: an answer for each message, in their order. */
export const servePostmark = async (token: string, isInactive: (address: string) => boolean) => {
  const messages: PostmarkMessage[] = []
  const server = await serve(({ method, url, headers, body }) => {
    if (method !== 'POST' || url.pathname !== '/email/batch') return { status: 404, value: {} }
    if (headers['x-postmark-server-token'] !== token)
      return { status: 401, value: { ErrorCode: 10, Message: 'Bad token' } }
    const batch = JSON.parse(body.toString()) as PostmarkMessage[]
    if (batch.length > 500) return { status: 422, value: { ErrorCode: 410, Message: 'Too many batch messages' } }
    const value = batch.map((message) => {
      if (isInactive(message.To)) return { ErrorCode: 406, Message: 'You tried to send to an inactive recipient.' }
      messages.push(message)
      return { ErrorCode: 0, Message: 'OK', MessageID: `b7bc2f4a-${messages.length}`, To: message.To }
    })
    return { value }
  })
  return { ...server, messages }
}

interface Subscriber {
  readonly id: number
  readonly email: string
  name: string
  attribs: Readonly<Record<string, unknown>>
  /** The status in the list; undefined if it is not in it. */
  status: string | undefined
}

/** The lists of listmonk: reading subscribers, importing a file, and taking subscribers out of a list. */
export const serveListmonk = async (authorization: string, list: number) => {
  const subscribers: Subscriber[] = []
  const imports: object[] = []
  let isImporting = false
  const importFile = (csv: string) => {
    const [, ...rows] = csv.trimEnd().split('\n')
    for (const row of rows) {
      const [email = '', name = '', attributes = '{}'] = [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(
        ([, text = '']) => text.replaceAll('""', '"'),
      )
      const known = subscribers.find((one) => one.email === email)
      const attribs = JSON.parse(attributes)
      if (known === undefined)
        subscribers.push({ id: subscribers.length + 1, email, name, attribs, status: 'confirmed' })
      else Object.assign(known, { name, attribs, status: known.status ?? 'confirmed' })
    }
  }
  const server = await serve(async ({ method, url, headers, body }) => {
    if (headers.authorization !== authorization) return { status: 403, value: { message: 'invalid API credentials' } }
    const route = `${method} ${url.pathname}`
    if (route === 'GET /api/subscribers') {
      const status = url.searchParams.get('subscription_status')
      const isIn = (one: Subscriber) => one.status !== undefined && (status === null || one.status === status)
      const results = Number(url.searchParams.get('list_id')) === list ? subscribers.filter(isIn) : []
      return { value: { data: { results, total: results.length, per_page: results.length, page: 1 } } }
    }
    if (route === 'PUT /api/subscribers/lists') {
      const { ids, action, target_list_ids: lists } = JSON.parse(body.toString())
      if (action !== 'remove' || !lists.includes(list)) return { status: 400, value: { message: 'invalid action' } }
      for (const one of subscribers) if (ids.includes(one.id)) one.status = undefined
      return { value: { data: true } }
    }
    if (route === 'POST /api/import/subscribers') {
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': `${headers['content-type']}` },
      }).formData()
      imports.push(JSON.parse(String(form.get('params'))))
      importFile(await (form.get('file') as File).text())
      isImporting = true
      return { value: { data: imports.at(-1) } }
    }
    if (route === 'GET /api/import/subscribers') {
      const status = isImporting ? 'importing' : 'finished'
      isImporting = false
      return { value: { data: { name: 'recipients.csv', total: 0, imported: 0, status } } }
    }
    return { status: 404, value: { message: 'not found' } }
  })
  return { ...server, subscribers, imports }
}
