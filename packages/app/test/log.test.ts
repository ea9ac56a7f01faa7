import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const LOG = path.join(import.meta.dirname, '../src/log.ts')
/** Says on every write that there is no space left. */
const FULL = '/dev/full'

const program = (format: string): string => `
  const { createLog } = await import(${JSON.stringify(LOG)})
  const log = await createLog({ LOG_LEVEL: 'info', LOG_FORMAT: '${format}', noColor: true })
  for (let line = 0; line < 3; line++) {
    log.info({ line }, 'a line')
    await new Promise(setImmediate)
  }
  process.stderr.write('it went on')`

it.runIf(existsSync(FULL)).each(['json', 'pretty'])(
  'goes on without its log (%s) while the disk is full',
  async (format) => {
    const full = await open(FULL, 'w')
    onTestFinished(async () => await full.close())
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(format)], {
      stdio: ['ignore', full.fd, 'pipe'],
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const [code] = await once(child, 'close')
    expect([code, said]).toEqual([0, 'it went on'])
  },
)
