import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { StoredMail } from './installed-postfix.ts'
import { startSmtpServer } from './postfix-smtp-server.ts'
import { startSystem } from './postfix-system.ts'

const PATIENCE = 600_000

/**
 * A real Postfix for one test, which touches nothing outside a folder of its own. As root it is the whole of it.
 * @throws {Error} it is not installed; says how to get it
 */
export const openPostfix = async () => {
  // Its sockets must have short names.
  const folder = await mkdtemp(path.join('/tmp', 'rollcall-mta-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  const postfix = await (process.getuid?.() === 0 ? startSystem(folder) : startSmtpServer(folder))
  onTestFinished(() => postfix.stop())
  /** Everything that it has stored, once it is so many: it says yes a moment before it has filed a mail. */
  const stored = async (count: number): Promise<readonly StoredMail[]> => {
    for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
      const mails = await postfix.stored()
      if (mails.length >= count || Date.now() > end) return mails
    }
  }
  return { url: postfix.url, encrypts: postfix.encrypts, stored }
}
