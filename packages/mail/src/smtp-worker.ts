import { parentPort, workerData } from 'node:worker_threads'
import { MailRefusedPermanently, MailUnanswered } from '@rollcall/core'
import { RelayTrouble } from './relay.ts'
import { smtpSender } from './smtp-sender.ts'
import type { Answer, Failure, Order } from './smtp-thread.ts'

// Runs in a thread of its own: neither words and encodings nor the dialogues with the relay take the event loop's time.
const sender = smtpSender(workerData)

const failureOf = (error: unknown): Failure => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof MailRefusedPermanently)
    return { kind: 'refused', name, message, recipientStatus: error.recipientStatus }
  if (error instanceof MailUnanswered) return { kind: 'unanswered', name, message }
  return { kind: error instanceof RelayTrouble ? 'trouble' : 'defect', name, message }
}

const answer = (message: Answer | 'ready'): void => parentPort?.postMessage(message)

const send = async ({ id, mail }: Exclude<Order, 'close'>): Promise<void> => {
  try {
    await sender.send(mail)
    answer({ id })
  } catch (error) {
    answer({ id, failure: failureOf(error) })
  }
}

const sending = new Set<Promise<void>>()

parentPort?.on('message', async (order: Order) => {
  if (order === 'close') {
    await sender.close()
    await Promise.all(sending)
    parentPort?.close()
  } else {
    const one = send(order)
    sending.add(one)
    await one
    sending.delete(one)
  }
})

await sender.prepare()
answer('ready')
