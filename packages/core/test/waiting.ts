import { memoryDigests } from '../memory/index.ts'
import { addressHash, type FieldValues, parseFeedName } from '../src/index.ts'
import { type Service, SOURCE } from './cast.ts'

interface Form {
  readonly feeds?: readonly string[]
  readonly fields?: FieldValues
}

/** A form that was answered and is not carried out yet. */
export const waits = ({ storage, clock }: Service, email: string, { feeds = ['default'], fields }: Form = {}) =>
  storage.unitOfWork.run(({ requests }) =>
    requests.add({
      at: clock.now(),
      address: addressHash(memoryDigests('a secret for tests'), email.toLowerCase()),
      asked: {
        ...({ kind: 'sign-up', email, addressKey: email.toLowerCase(), name: 'Formed', locale: undefined } as const),
        source: SOURCE,
        feeds: feeds.map((feed) => ({ feed: parseFeedName(feed), wording: 'double-opt-in/1', fields })),
        together: feeds.length > 1,
      },
    }),
  )

/** The same of one that could not be carried out. */
export const isParked = async (at: Service, email: string, form?: Form): Promise<void> => {
  await waits(at, email, form)
  await at.storage.unitOfWork.run(async ({ requests }) => {
    for (const { id } of await requests.take(1)) await requests.park(id, at.clock.now(), 'No disk.')
  })
}

/** The addresses of the forms that wait, parked ones as well. */
export const waitingIn = async ({ storage }: Service): Promise<string[]> =>
  (await storage.readers.requests.list({ after: 0, limit: 50 })).items.flatMap(({ asked }) =>
    asked.kind === 'sign-up' ? [asked.email] : [],
  )
