// The limit of the platform: reads the form, answers with a constant.
import { listen, PENDING } from './listen.ts'

listen((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const fields = new URLSearchParams(Buffer.concat(chunks).toString())
    const body = JSON.stringify(fields.has('email') ? PENDING : {})
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
})
