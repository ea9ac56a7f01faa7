import { parentPort, workerData } from 'node:worker_threads'
import { MailRefusedPermanently, MailUnanswered, MailWithdrawn, SECOND } from '@rollcall/core'
import { BEGUN, decideOnce, OPEN } from './mail-state.ts'
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
  if (error instanceof MailWithdrawn) return { kind: 'withdrawn', name, message }
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

/** Who waits for the answer to whether a mail is due. */
const waiting = new Map<number, (isDue: boolean) => void>()

const isDue = (id: number): Promise<boolean> =>
  new Promise((resolve) => {
    waiting.set(id, resolve)
    answer({ id, asks: true })
  })

const decide = (id: number, isDue: boolean): void => {
  waiting.get(id)?.(isDue)
  waiting.delete(id)
}

const send = async ({ id, mail, state }: Extract<Order, { mail: unknown }>): Promise<void> => {
  try {
    await sender.send(mail, state && (async () => (await isDue(id)) && decideOnce(state, BEGUN) === OPEN))
    answer({ id })
  } catch (error) {
    answer({ id, failure: failureOf(error) })
  }
}

const sending = new Set<Promise<void>>()

/** How long sockets may take to close. */
const A_MOMENT = 1 * SECOND

const close = async (): Promise<void> => {
  for (const id of waiting.keys()) decide(id, false)
  await sender.close()
  await Promise.all(sending)
  handBack()
  parentPort?.close()
  // A name that is still being looked up keeps the thread for as long as a connection may take.
  setTimeout(() => process.exit(), A_MOMENT).unref()
}

parentPort?.on('message', (orders: readonly Order[] | 'close') => {
  if (orders === 'close') void close()
  else
    for (const order of orders) {
      if ('isDue' in order) {
        decide(order.id, order.isDue)
        continue
      }
      const one = send(order).finally(() => sending.delete(one))
      sending.add(one)
    }
})
