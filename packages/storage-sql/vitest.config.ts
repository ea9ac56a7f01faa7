import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: '@rollcall/storage-sql', globalSetup: ['./test/postgres-server/global-setup.ts'] },
})
