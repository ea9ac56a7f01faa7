import { appendFile } from 'node:fs/promises'
import http from 'node:http'
import { json } from 'node:stream/consumers'

/**
 * Stands in for an OpenTelemetry collector: what it is sent becomes a line of the file.
 *
 *     node span-collector.ts 4318 spans.jsonl
 */
const [port = '', file = ''] = process.argv.slice(2)

const collect = async (request: http.IncomingMessage): Promise<number> => {
  if (request.method !== 'POST' || request.url !== '/v1/traces') return 404
  await appendFile(file, `${JSON.stringify(await json(request))}\n`)
  return 200
}

http
  .createServer(async (request, response) => {
    response.statusCode = await collect(request).catch(() => 400)
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
  .listen(Number(port), '127.0.0.1')
