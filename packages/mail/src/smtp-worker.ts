import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { MailRefusedPermanently, MailUnanswered } from '@rollcall/core'
import { RelayTrouble } from './relay.ts'
import { smtpSender } from './smtp-sender.ts'
import type { Answer, Failure, Order } from './smtp-thread.ts'

// Runs in a thread of its own: neither words and encodings nor the dialogues with the relay take the event loop's time.
// If processors are few, requests come first: Linux gives this thread what they leave. Elsewhere it would be all threads.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
const sender = smtpSender(workerData)

const failureOf = (error: unknown): Failure => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof MailRefusedPermanently)
    return { kind: 'refused', name, message, recipientStatus: error.recipientStatus }
  if (error instanceof MailUnanswered) return { kind: 'unanswered', name, message }
  return { kind: error instanceof RelayTrouble ? 'trouble' : 'defect', name, message }
}

/** Those of one turn of the event loop. */
let answers: Answer[] = []

const answer = (one: Answer): void => {
  answers.push(one)
  if (answers.length === 1) setImmediate(handBack)
}

const handBack = (): void => {
  parentPort?.postMessage(answers)
  answers = []
}

const send = async ({ id, mail }: Order): Promise<void> => {
  try {
    await sender.send(mail)
    answer({ id })
  } catch (error) {
    answer({ id, failure: failureOf(error) })
  }
}

const sending = new Set<Promise<void>>()

const close = async (): Promise<void> => {
  await sender.close()
  await Promise.all(sending)
  handBack()
  parentPort?.close()
}

parentPort?.on('message', (orders: readonly Order[] | 'close') => {
  if (orders === 'close') void close()
  else
    for (const order of orders) {
      const one = send(order).finally(() => sending.delete(one))
      sending.add(one)
    }
})

await sender.prepare()
parentPort?.postMessage('ready')
