import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: '@rollcall/app', globalSetup: ['../storage-sql/test/postgres-server/global-setup.ts'] },
})
