import http from 'node:http'

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly token?: string
  readonly agent?: http.Agent
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

/** One request over a socket of its own, unless an agent is given. */
export const exchange = (port: number, method: string, path: string, options: RequestOptions): Promise<Answer> => {
  const headers: http.OutgoingHttpHeaders = {}
  let { body } = options
  if (options.form !== undefined) {
    body = new URLSearchParams(options.form).toString()
    headers['Content-Type'] = 'application/x-www-form-urlencoded'
  }
  if (options.json !== undefined) {
    body = JSON.stringify(options.json)
    headers['Content-Type'] = 'application/json'
  }
  if (options.token !== undefined) headers.Authorization = `Bearer ${options.token}`
  if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = value as string | string[]
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: options.agent ?? false })
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode!, headers: response.headers, body: bytes.toString('utf8'), bytes })
      })
    })
    request.setTimeout(100_000, () => request.destroy(new Error('no answer in 100 s')))
    request.end(body)
  })
}
