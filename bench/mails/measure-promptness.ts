import { mkdir, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import type { MailOrder } from './measure-mails.ts'
import { SignUps } from './sign-up.ts'
import { openSink } from './sink.ts'

const COUNT = 100
const APART = 60
const SETTLING = 1_500

/**
 * Milliseconds from when each sign-up's answer was read, so that it is on disk, to when its mail is begun (MAIL FROM),
 * over a connection that is opened for it, on an otherwise idle service.
 */
export const measurePromptness = async ({ folder, cores }: Omit<MailOrder, 'template'>): Promise<number[]> => {
  await mkdir(folder)
  await using sink = await openSink('hang-up', cores.load)
  await using server = await Server.start({
    ...(await rollcall(folder, { SMTP_URL: sink.url })),
    core: cores.server,
  })
  await sleep(SETTLING)
  using signUps = new SignUps(server.url, 1)
  const answered = new Map<string, number>()
  for (let number = 0; number < COUNT; number++) {
    const email = `prompt.${number}@example.com`
    await signUps.signUp(email)
    answered.set(email, performance.timeOrigin + performance.now())
    await sleep(APART)
  }
  await sleep(SETTLING)
  const { begun } = await sink.look()
  if (begun.length !== COUNT) throw new Error(`${begun.length} mails were begun for ${COUNT} sign-ups`)
  await server.stop('SIGTERM')
  await rm(folder, { recursive: true })
  return begun.map(({ to, at }) => Math.max(0, at - (answered.get(to) ?? 0)))
}
