import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
// Last on the path: a curl that is installed comes first.
const STAND_INS = path.join(import.meta.dirname, 'stand-ins')
const run = promisify(execFile)

const readReadme = () => readFile(path.join(ROOT, 'README.md'), 'utf8')

/** Runs the line of the README in a shell, on the service of this home. */
const runLine = async (home: Home, line: string): Promise<string> => {
  const here = line.replaceAll('127.0.0.1:8080', `127.0.0.1:${home.port}`)
  const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH, STAND_INS].join(path.delimiter)
  const { stdout } = await run('sh', ['-c', here], { cwd: ROOT, env: { ...process.env, ...home.environment(), PATH } })
  return stdout
}

it('answers the two requests of the README as the README says', async () => {
  const requests = [...(await readReadme()).matchAll(/```sh\n(curl .*)\n```\n(?:\n[^`]*)?\n```\n([^`]*)```/g)]
  expect(requests).toHaveLength(2)
  await using home = await Home.make()
  await home.serve()
  for (const [, command = '', expected = ''] of requests) {
    const stdout = await runLine(home, command)
    // The id is a keyed hash: another secret, another id.
    const anyId = (text: string): string =>
      text
        .replaceAll('\r', '')
        .replace(/"id":\d+/, '"id":1')
        .trim()
    for (const line of anyId(expected).split('\n')) expect(anyId(stdout).split('\n')).toContain(line)
  }
})

it('gets from the clone to a confirmed subscription by the first five commands of the README', async () => {
  const blocks = [...(await readReadme()).matchAll(/```sh\n([^`]*)```/g)].map(([, code = '']) => code)
  const [install, start, subscribe = '', show = '', confirm = ''] = blocks.slice(0, 2).join('').trim().split('\n')
  // What the test itself was installed by, and a server that ends with the test.
  expect([install, start]).toEqual(['npm ci', 'npm start'])
  expect(JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')).scripts.start).toBe('rollcall serve')
  await using home = await Home.make()
  await home.serve()
  await runLine(home, subscribe)
  const written = async () => JSON.parse((await home.run('mail', 'list', '--json')).stdout).items.length > 0
  await eventually(written, 'that the mail is written')
  const mail = await runLine(home, show)
  expect(mail).toContain('To: ada@example.com')
  expect(mail.split('\n')).toContainEqual(expect.stringMatching(`^${home.url}/confirm/\\S+$`))
  expect(JSON.parse(await runLine(home, confirm))).toEqual({ message: 'The subscription is confirmed.' })
  const { items } = JSON.parse((await home.run('subscription', 'list', '--json')).stdout)
  expect(items).toMatchObject([{ email: 'ada@example.com', status: 'confirmed' }])
})
