import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { parseOwnKeys } from '@rollcall/access-token'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const run = promisify(execFile)

const blocks = async (): Promise<string[]> => {
  const page = await readFile(path.join(ROOT, 'docs/operating.md'), 'utf8')
  return [...page.matchAll(/```sh\n([^`]*)```/g)].map(([, code = '']) => code)
}

it('takes every identity provider that docs/operating.md shows', async () => {
  const settings = (await blocks()).filter((code) => code.startsWith('ROLLCALL_AUTH_')).map((code) => parseEnv(code))
  expect(settings.map((environment) => readConfig(environment).provider)).toEqual([
    { issuer: 'https://id.example.com/realms/staff', audience: ['rollcall'], rolesClaim: '/realm_access/roles' },
    {
      issuer: 'https://staff.eu.auth0.com/',
      audience: ['https://rollcall.example.com'],
      rolesClaim: 'https://rollcall.example.com/roles',
    },
    {
      issuer: 'https://id.example.com',
      audience: ['rollcall', 'https://rollcall.example.com'],
      rolesClaim: 'roles',
    },
  ])
})

it.skipIf(process.platform === 'win32')(
  'takes the signing keys that the command of docs/operating.md makes',
  async () => {
    const [command = ''] = (await blocks()).filter((code) => code.startsWith('node -e'))
    const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
    const { stdout } = await run('sh', ['-c', command], { env: { PATH } })
    expect((await parseOwnKeys(stdout)).jwks().keys).toHaveLength(1)
  },
)
