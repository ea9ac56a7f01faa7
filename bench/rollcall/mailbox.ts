import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Cores, pinned } from '../command.ts'
import type { Options } from '../options.ts'
import { mailsIn } from './rollcall.ts'

/** Where mails arrive, and can be counted. */
export interface Mailbox {
  /** What the service must be told to deliver there. */
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

const PROCESS = path.join(import.meta.dirname, 'mail-sink-process.ts')

/** An SMTP server that counts what it takes, in a process of its own. */
const mailSink = async (core: number | undefined): Promise<Mailbox> => {
  const child = spawn(...pinned(core, process.execPath, [PROCESS]), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextNumber = async (): Promise<number> => Number((await lines.next()).value)
  const port = await nextNumber()
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    count: () => {
      child.stdin.write('\n')
      return nextNumber()
    },
    close: async () => {
      child.stdin.end()
    },
  }
}
