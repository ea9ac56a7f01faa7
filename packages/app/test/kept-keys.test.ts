import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keptInFolder, missingInFolder } from '../src/backup/kept-keys.ts'
import { readConfig } from '../src/config.ts'

const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name)

it('go with a backup if directories have tokens, although an identity provider issues all others', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
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
