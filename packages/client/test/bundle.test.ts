import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { json, pieces, StubFetch } from './stub.ts'

const LARGEST = 6 * 1024

const bundled = async (format: 'esm' | 'iife'): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, '../src/index.ts')],
    ...{ bundle: true, minify: true, write: false, format, globalName: 'rollcall', platform: 'neutral' },
  })
  return outputFiles[0]!.text
}

it('is at most 6 KB when it is minified and compressed', async () => {
  const size = gzipSync(await bundled('esm'), { level: 9 }).length
  expect(size).toBeGreaterThan(1024)
  expect(size).toBeLessThanOrEqual(LARGEST)
})

it('needs nothing but what every runtime with fetch has', async () => {
  const stub = new StubFetch(
    json({ items: [{ id: 'ada' }], next: null }),
    pieces('application/x-ndjson', '{"rows":1}\n'),
  )
  // Neither `process`, `Buffer` nor `require`, as in browsers and workers.
  const web = { AbortSignal, Blob, Headers, ReadableStream, Response, TextDecoder, TextEncoder, URL, URLSearchParams }
  const context = createContext({ ...web, fetch: stub.options.fetch, setTimeout, clearTimeout })
  const program = `(async () => {
    const client = rollcall.createClient({ url: 'https://news.example.com', token: 'x' })
    const found = []
    for await (const user of client.listUsers()) found.push(user.id)
    const ndjson = (async function* () { yield { email: 'a@example.com' } })()
    for await (const line of client.importSubscriptions({ body: { ndjson } })) found.push(line.rows)
    return found.join()
  })()`
  expect(await runInContext(`${await bundled('iife')}\n${program}`, context)).toBe('ada,1')
  expect(stub.targets).toEqual(['GET /users', 'POST /subscriptions/import'])
})
