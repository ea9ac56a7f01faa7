import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const KIB = 1024
const CORE = path.join(import.meta.dirname, '../src')

// The whole core is what a service loads; a host that picks classes has only these, because nothing else is kept.
it.each([
  ['all of it', "export * from './index.ts'", 64, 108],
  ['subscribing and deleting alone', "export { SubscribeUseCase, DeleteUserUseCase } from './index.ts'", 4, 10],
])('bundled, minified and compressed, %s is of a modest size', async (_, contents, least, most) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: CORE, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' },
  })
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(size).toBeGreaterThan(least * KIB)
  expect(size).toBeLessThanOrEqual(most * KIB)
})
