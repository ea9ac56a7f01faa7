import { setTimeout as sleep } from 'node:timers/promises'
import { operator } from '@rollcall/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { compose, openService, readConfig } from '../src/index.ts'
import { silentLog } from '../src/log.ts'
import { TOKENS } from '../src/tokens.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MINUTE = 60_000

it('a service that stops begins no round of its mailbox of reports any more', async () => {
  const config = readConfig({
    ROLLCALL_DATA_DIR: await temporaryFolder(),
    ROLLCALL_FEEDBACK_IMAP_URL: 'imaps://user:password@imap.example.com',
    ROLLCALL_BOUNCE_ADDRESS: 'bounces@news.example.com',
  })
  const container = compose(config, silentLog)
  const happened: string[] = []
  container.rebind(TOKENS.reportMailbox).toConstantValue({
    read: async () => {
      happened.push('read')
      return { taken: 0, left: 0, more: false }
    },
    close: () => {
      happened.push('closed')
      vi.advanceTimersByTime(MINUTE)
    },
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await openService(container)
  await service.start()
  await vi.advanceTimersByTimeAsync(MINUTE)
  await service.close()
  expect(happened).toEqual(['read', 'closed'])
})

it('a service that stops carries out what is asked of it, and begins no mail any more', async () => {
  const config = readConfig({ ROLLCALL_DATA_DIR: await temporaryFolder() })
  const service = await openService(compose(config, silentLog))
  onTestFinished(() => service.close())
  await service.start()
  const { subscribe, listOutbox } = service.useCases
  const source = { via: 'form', clientAddress: undefined, userAgent: undefined } as const
  const ops = operator('ops')
  const owed = async () => (await listOutbox.execute({}, ops)).items.length
  await (await subscribe.execute({ email: 'before@example.com', source })).processed()
  await expect.poll(owed).toBe(0)
  service.stopSending()
  await (await subscribe.execute({ email: 'after@example.com', source })).processed()
  await sleep(500)
  expect(await owed()).toBe(1)
})
