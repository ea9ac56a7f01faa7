import { existsSync } from 'node:fs'
import path from 'node:path'
import { SECOND } from '@rollcall/core'
import { readTexts, TextsNotUsable } from '@rollcall/http-console'
import type { Config } from '../config.ts'
import { EVERY_ADDRESS, httpUrl } from '../every-address.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

/** The console for operators: whether its settings and texts can be used, and whether it answers. */
export const checkConsole: Check = {
  name: 'console',
  run: async ({ config }) => {
    if (config.CONSOLE_PORT === undefined) return ofNone(config)
    const texts = problemOfTexts(path.join(config.DATA_DIR, 'console.json'))
    return texts === undefined ? [await answers(config.CONSOLE_HOST, config.CONSOLE_PORT)] : [texts]
  },
}

const ofNone = ({ CONSOLE_URL, CONSOLE_CLIENT_ID }: Config): readonly Finding[] => {
  const [name] = [CONSOLE_URL && 'CONSOLE_URL', CONSOLE_CLIENT_ID && 'CONSOLE_CLIENT_ID'].filter(Boolean)
  if (name === undefined) return []
  return [warning(`ROLLCALL_${name} is set, but there is no console.`, 'Set ROLLCALL_CONSOLE_PORT, too.')]
}

const problemOfTexts = (file: string): Finding | undefined => {
  try {
    if (existsSync(file)) readTexts(file)
    return undefined
  } catch (error) {
    if (!(error instanceof TextsNotUsable)) throw error
    return failed(error.message)
  }
}

const TIMEOUT = 5 * SECOND

const answers = async (given: string, port: number): Promise<Finding> => {
  const host = EVERY_ADDRESS.get(given) ?? given
  const url = httpUrl(host, port)
  const other = failed(
    `Something else answers at ${url}.`,
    'Stop it, or choose another port with ROLLCALL_CONSOLE_PORT.',
  )
  try {
    // No page needs less: it neither asks for a session nor reads anything that is stored.
    const signal = AbortSignal.timeout(TIMEOUT)
    const response = await fetch(`${url}/script.js`, { redirect: 'manual', signal })
    await response.body?.cancel()
    // A name that is not on this machine is refused there, with the same header fields.
    const isConsole = response.headers.get('X-Frame-Options') === 'DENY' && [200, 421].includes(response.status)
    return isConsole ? ok(`It answers at ${url}. Log in with \`rollcall console login\`.`) : other
  } catch (error) {
    const { code, message } = Object(error instanceof TypeError ? error.cause : undefined) as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') return warning(`Nothing answers at ${url}.`, 'Start the service, or start it again.')
    // What answers, and not as HTTP does.
    if (code?.startsWith('HPE_') || code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return other
    const said = code ?? message
    const why = said === undefined ? `within ${TIMEOUT / SECOND} s` : `(${said})`
    return warning(`${url} did not answer ${why}.`, 'Look at the log of the service, and at ROLLCALL_CONSOLE_HOST.')
  }
}
