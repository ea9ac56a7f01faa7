import { memoryDigests, openMemoryService } from '../memory/index.ts'
import { addressHash, type BlockCause, type Caller, type FeedName } from '../src/index.ts'
import { blockMailbox } from '../src/suppressions/block.ts'
import { ADMIN, caller, confirm, mailedToken, type Service, subscribe } from './cast.ts'

export const digests = memoryDigests('a secret for tests')
export const SENDER = caller('mailer', 'sender')
export const boundTo = (...feeds: string[]): Caller => ({ ...SENDER, feeds: feeds as FeedName[] })

export const block = (at: Service, email: string, cause: BlockCause = 'blocked') =>
  at.storage.unitOfWork.run((stores) =>
    blockMailbox(stores, { digests, clock: at.clock }, email, { cause, since: at.clock.now() }),
  )

export const undeliverable = (at: Service, email: string) =>
  at.storage.unitOfWork.run(({ deliverability }) =>
    deliverability.put(addressHash(digests, email), {
      state: 'undeliverable',
      since: 1,
      status: '5.1.1',
      days: [],
      expiresAt: 2 ** 40,
    }),
  )

/** Confirmed, one mailbox after another, so that no cap is in the way. */
export const confirmed = async (at: Service, email: string, more: object = {}): Promise<number> => {
  const { id } = await subscribe(at, email, more)
  await confirm(at, await mailedToken(at, 'confirm'))
  return id
}

export const withFeeds = async (...names: string[]) => {
  const at = openMemoryService()
  for (const name of names) await at.useCases.putFeed.execute({ name }, ADMIN)
  return at
}

export const textOf = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export const recipientsOf = async (at: Service, feed = 'default', who = SENDER) => {
  const text = await textOf(await at.useCases.listRecipients.execute({ feed }, who))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export const emailsOf = async (at: Service, feed = 'default'): Promise<string[]> =>
  (await recipientsOf(at, feed)).slice(1, -1).map(({ email }) => email)
