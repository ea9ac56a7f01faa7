import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Home, type Output } from './running-service.ts'

const COMMANDS = [['user', 'list'], ['token', 'issue', '--subject', 'ada', '--role', 'admin'], ['migrate'], ['serve']]

/** One sentence on standard error, nothing on standard output, and exit code 4. */
const refused = (sentence: RegExp): Partial<Output> => ({
  code: 4,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^error: [^\\n]*${sentence.source}[^\\n]*\\n$`)),
})

describe('a .env that cannot be read', () => {
  it('is said in one sentence by every command that needs settings, and help goes without them', async () => {
    await using home = await Home.make()
    await mkdir(path.join(home.folder, '.env'))
    for (const command of COMMANDS) expect(await home.run(...command)).toMatchObject(refused(/\.env cannot be read/))
    for (const option of ['--help', '--version'])
      expect(await home.run(option)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/./) })
  }, 30_000)
})
