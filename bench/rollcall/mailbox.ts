import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery } from '../cases/bench-case.ts'
import type { Cores } from '../command.ts'
import { openSink } from '../mails/sink.ts'
import type { Options } from '../options.ts'
import { mailsIn } from './rollcall.ts'

/** Where mails arrive and are counted. */
export interface Mailbox {
  /** The settings with which the service delivers there. */
  readonly settings: Readonly<Record<string, string>>
  count(): Promise<number>
  close(): Promise<void>
}

export const openMailbox = async (mail: Options['mail'], folder: string, cores: Cores): Promise<Mailbox> =>
  mail === 'files' ? mailFolder(folder) : await mailSink(cores.load)

/** The folder that the service itself keeps mails in. */
const mailFolder = (folder: string): Mailbox => ({
  settings: {},
  count: async () => {
    const names = await readdir(mailsIn(folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.filter((name) => name.endsWith('.eml')).length
  },
  close: async () => {},
})

/** An SMTP server that counts what it takes, in a process of its own. */
const mailSink = async (core: number | undefined): Promise<Mailbox> => {
  const sink = await openSink('keep', core)
  return {
    settings: { SMTP_URL: sink.url },
    count: async () => (await sink.look()).taken,
    close: async () => await sink[Symbol.asyncDispose](),
  }
}

const POLL = 100
const PATIENCE = 30_000

/**
 * Waits until as many mails have arrived.
 * @throws {Error} no mail came for half a minute
 */
export const awaitDelivery = async (mailbox: Mailbox, expected: number): Promise<Delivery> => {
  const began = performance.now()
  const deliveredDuringLoad = await mailbox.count()
  let delivered = deliveredDuringLoad
  for (let lastSeen = began; delivered < expected; await sleep(POLL)) {
    const count = await mailbox.count()
    if (count > delivered) lastSeen = performance.now()
    else if (performance.now() - lastSeen > PATIENCE)
      throw new Error(`${delivered} of ${expected} mails were delivered, then none`)
    delivered = count
  }
  return { deliveredDuringLoad, delivered, seconds: (performance.now() - began) / 1_000 }
}
