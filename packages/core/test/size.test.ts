import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const KIB = 1024

it('is at most 44 KiB when all of it is bundled, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, '../src/index.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' },
  })
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(size).toBeGreaterThan(16 * KIB)
  expect(size).toBeLessThanOrEqual(44 * KIB)
})
