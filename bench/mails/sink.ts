import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pinned } from '../command.ts'

const PROCESS = path.join(import.meta.dirname, 'sink-process.ts')

/** What a sink has received; `begun` and `links` since the last call. */
export interface Seen {
  readonly taken: number
  /** When the last one was, in milliseconds since 1970. */
  readonly takenAt: number
  /** When each mail was begun, in milliseconds since 1970. */
  readonly begun: readonly { readonly to: string; readonly at: number }[]
  /** The links to confirm with, where mails are read. */
  readonly links: readonly { readonly to: string; readonly token: string }[]
}

/** An SMTP server in a process of its own. */
export interface Sink extends AsyncDisposable {
  readonly url: string
  look(): Promise<Seen>
}

/** What it does with connections: keeps them, and reads the mails, too; ends each after its first mail; or never answers. */
type SinkBehavior = 'keep' | 'read' | 'hang-up' | 'silent'

export const openSink = async (behavior: SinkBehavior, core: number | undefined): Promise<Sink> => {
  const child = spawn(...pinned(core, process.execPath, [PROCESS, behavior]), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => String((await lines.next()).value)
  const port = await nextLine()
  return {
    url: `smtp://127.0.0.1:${port}`,
    look: async () => {
      child.stdin.write('\n')
      return JSON.parse(await nextLine())
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
    },
  }
}
