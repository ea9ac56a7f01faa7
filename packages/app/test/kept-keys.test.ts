import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { keptInFolder, missingInFolder } from '../src/backup/kept-keys.ts'
import { readConfig } from '../src/config.ts'
import { temporaryFolder } from './temporary-folder.ts'

const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name)

it('go with a backup if directories have tokens, although an identity provider issues all others', async () => {
  const folder = await temporaryFolder()
  const config = readConfig({
    ROLLCALL_DATA_DIR: folder,
    ROLLCALL_AUTH_ISSUER: 'https://id.example.com',
    ROLLCALL_AUTH_AUDIENCE: 'rollcall',
  })
  expect(names(keptInFolder(config))).toEqual(['secret', 'link-keys.json'])
  expect(names(missingInFolder(config, new Set()))).toEqual(['secret', 'link-keys.json'])
  expect(names(missingInFolder(config, new Set(['signing-keys.json'])))).toContain('signing-keys.json')
  writeFileSync(path.join(folder, 'signing-keys.json'), '{}')
  expect(names(keptInFolder(config))).toContain('signing-keys.json')
})
