import { parentPort, workerData } from 'node:worker_threads'
import { MailRefusedPermanently } from '@rollcall/core'
import { RelayTrouble } from './relay.ts'
import { smtpSender } from './smtp-sender.ts'
import type { Answer, Failure, Order } from './smtp-thread.ts'

// Runs in a thread of its own: neither words and encodings nor the dialogues with the relay take the event loop's time.
const sender = smtpSender(workerData)

const failureOf = (error: unknown): Failure => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof MailRefusedPermanently)
    return { kind: 'refused', name, message, recipientStatus: error.recipientStatus }
  return { kind: error instanceof RelayTrouble ? 'trouble' : 'defect', name, message }
}

const answer = (message: Answer | 'ready'): void => parentPort?.postMessage(message)

parentPort?.on('message', (order: Order) => {
  if (order === 'close') sender.close().finally(() => parentPort?.close())
  else
    sender.send(order.mail).then(
      () => answer({ id: order.id }),
      (error: unknown) => answer({ id: order.id, failure: failureOf(error) }),
    )
})

await sender.prepare()
answer('ready')
