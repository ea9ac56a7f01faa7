import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Home } from './running-service.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
// Last on the path: a curl that is installed comes first.
const STAND_INS = path.join(import.meta.dirname, 'stand-ins')
const run = promisify(execFile)

it('answers the two requests of the README as the README says', async () => {
  const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8')
  const requests = [...readme.matchAll(/```sh\n(curl .*)\n```\n(?:\n[^`]*)?\n```\n([^`]*)```/g)]
  expect(requests).toHaveLength(2)
  await using home = await Home.make()
  await home.serve()
  const environment = Object.fromEntries(
    Object.entries(home.settings).map(([name, value]) => [`ROLLCALL_${name}`, value]),
  )
  for (const [, command = '', expected = ''] of requests) {
    const here = command.replaceAll('127.0.0.1:8080', `127.0.0.1:${home.port}`)
    const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH, STAND_INS].join(path.delimiter)
    const { stdout } = await run('sh', ['-c', here], { cwd: ROOT, env: { ...process.env, ...environment, PATH } })
    // The id is a keyed hash: another secret, another id.
    const anyId = (text: string): string =>
      text
        .replaceAll('\r', '')
        .replace(/"id":\d+/, '"id":1')
        .trim()
    for (const line of anyId(expected).split('\n')) expect(anyId(stdout).split('\n')).toContain(line)
  }
})
