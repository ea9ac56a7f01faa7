import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { type Block, isExecuted, stepsOf } from './blocks.ts'
import { type Circumstances, Reader } from './reader.ts'

/** Follows a page, and says which of its blocks were executed. */
export type Followed = (page: string) => Promise<readonly Block[]>

/** Follows the page, and then looks at what has come of it. */
export const following =
  (circumstances: Circumstances = {}, look: (reader: Reader) => Promise<void> = async () => {}): Followed =>
  async (page) => {
    await using reader = await Reader.open(circumstances)
    await reader.follow(page)
    await look(reader)
    return reader.executed
  }

/** Every block of the page is executed, in its order. */
export const expectFollowed = async (page: string, followed: Followed = following()): Promise<void> => {
  const executed = await followed(page)
  const all = stepsOf(page).filter(isExecuted)
  expect(executed.map(({ line }) => line)).toEqual(all.map(({ line }) => line))
}

/** A reader does not type as fast as a mail is written. */
export const mailIsWritten = ({ home }: Reader): Promise<void> =>
  eventually(async () => {
    const waiting = await home.run('outbox', 'list', '--json')
    return JSON.parse(waiting.stdout).items.length === 0 && (await home.run('mail', 'show', '--last')).code === 0
  }, 'that the mail is written')

export const putUsers = async ({ home }: Reader): Promise<void> => {
  for (const id of ['ada', 'brian']) await home.run('user', 'put', id, '--email', `${id}@example.com`)
}
