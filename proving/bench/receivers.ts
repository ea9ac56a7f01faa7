import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type ReceiverOrder =
  /** An SMTP server that takes every mail; it may also note the links to confirm with. */
  | { readonly kind: 'relay'; readonly readsLinks: boolean }
  /** An HTTP server that answers 204 so many milliseconds later. */
  | { readonly kind: 'target'; readonly delay: number }

interface Received {
  readonly count: number
  /** When the first and the last were taken, in milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
  /** Since the last look. */
  readonly links: readonly { readonly to: string; readonly token: string }[]
}

/** What the service sends to: a relay for its mails, or a target for its events, in a thread of its own. */
export interface Receiver extends AsyncDisposable {
  /** Host and port. */
  readonly address: string
  look(): Promise<Received>
}

/** The setting with which a service sends its mails there. */
export const mailsTo = (relay: Receiver) => ({ SMTP_URL: `smtp://${relay.address}` })

export const openReceiver = async (order: ReceiverOrder): Promise<Receiver> => {
  const worker = new Worker(new URL('receiver-thread.ts', import.meta.url), { workerData: order })
  const [port] = await once(worker, 'message')
  return {
    address: `127.0.0.1:${port}`,
    look: async () => {
      const answer = once(worker, 'message')
      worker.postMessage('look')
      return (await answer)[0]
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}
