import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RemoteService } from './remote-service.ts'

const EMAIL = 'ada@example.com'
let service: RemoteService
beforeEach(async () => {
  service = await RemoteService.open()
})
afterEach(() => service[Symbol.asyncDispose]())

const post = (target: string, fields: Record<string, string> = {}) =>
  fetch(service.url + target, { method: 'POST', body: new URLSearchParams(fields) })

/** The path of the link to refuse, in whichever of the mails it is. */
const mailedRefusal = async (): Promise<string> => {
  await service.composition.useCases.deliverOutbox.execute({ limit: 10 })
  const names = (await readdir(path.join(service.folder, 'mail'))).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.map((name) => readFile(path.join(service.folder, 'mail', name), 'utf8')))
  return /\/refuse\/[0-9a-f.]+/.exec(mails.join('').replace(/=\r\n/g, ''))?.[0] ?? ''
}

it('waits for the disk on every preferences request, so that no response time reveals what is known', async () => {
  const log = () => readFile(path.join(service.folder, 'rollcall.db-wal'))
  const ask = async (state: string, more = {}): Promise<void> => {
    const before = await log()
    expect([state, (await post('/preferences', { email: EMAIL, ...more })).status]).toEqual([state, 200])
    expect([state, (await log()).equals(before)]).toEqual([state, false])
  }
  for (const again of [1, 2]) await ask(`unknown ${again}`)
  await post('/subscribe', { email: EMAIL })
  for (const again of [1, 2]) await ask(`a mail waits ${again}`)
  const refuse = await mailedRefusal()
  for (const again of [1, 2]) await ask(`beyond the caps ${again}`)
  for (const again of [1, 2]) await ask(`honeypot ${again}`, { website: 'https://spam.example' })
  expect((await post(refuse)).status).toBe(200)
  for (const again of [1, 2]) await ask(`suppressed ${again}`)
})
