import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** What needs Helm and its like, which take minutes to compile: `npm run check:chart`. */
export default defineConfig({
  root: path.join(import.meta.dirname, '../..'),
  test: { include: ['deploy/helm/chart.check.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
