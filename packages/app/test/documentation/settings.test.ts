import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { parseOwnKeys } from '@rollcall/access-token'
import { expect, it } from 'vitest'
import { examineConfig } from '../../src/config.ts'
import { OF_COMMANDS, SETTINGS } from '../../src/settings.ts'
import { blocksOf, isExecuted, PAGES, ROOT } from './blocks.ts'

const run = promisify(execFile)
const settings = PAGES.flatMap((page) => blocksOf(page)).filter(({ code }) => code.startsWith('ROLLCALL_'))

it('has every block of settings in a form that a `.env` takes', () => {
  expect(settings.length).toBeGreaterThan(10)
  expect(settings.filter(({ language }) => language !== 'ini')).toEqual([])
})

it.each(settings)('takes the settings of $page, line $line', ({ code }) => {
  // Files of secrets are the reader's.
  const given = Object.entries(parseEnv(code)).filter(([name]) => !name.endsWith('_FILE'))
  expect(examineConfig(Object.fromEntries(given)).problems).toEqual([])
})

// A name of the reader's own with our prefix would stop every command, and a later setting could take it.
it('has no name with our prefix that is no setting, in anything that a reader may copy', () => {
  const patterns = ['*.{md,http}', 'docs/**/*.md', '{examples,deploy,.github}/**/*', 'packages/*/README.md']
  const files = globSync(patterns, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'CHANGELOG.md')
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const known = [...OF_COMMANDS, ...Object.keys(SETTINGS.entries).flatMap((name) => [name, `${name}_FILE`])]
  const found = files.flatMap((file) =>
    // What ends with an underscore is the beginning of several.
    [...readFileSync(file, 'utf8').matchAll(/\bROLLCALL_(\w*[A-Z0-9])\b/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThan(40)
  expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
})

it.skipIf(process.platform === 'win32')('takes the signing keys that the command of the reference makes', async () => {
  const [command = ''] = blocksOf('docs/reference/access-tokens.md')
    .filter(isExecuted)
    .map(({ code }) => code)
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
  const { stdout } = await run('sh', ['-c', command], { env: { PATH } })
  expect((await parseOwnKeys(stdout)).jwks().keys).toHaveLength(1)
})
