import type { Readers } from '../readers.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { RequestInbox } from './waiting-request.ts'

/** Where requests come in over any storage: a unit of work for each. */
export const unitInbox = (unitOfWork: UnitOfWork, { feeds }: Pick<Readers, 'feeds'>): RequestInbox => ({
  feed: (name) => feeds.find(name),
  append: (request, challenge) =>
    unitOfWork.run(async ({ requests, spentChallenges }) => {
      if (challenge && !(await spentChallenges.spend(challenge.id, challenge.expiresAt))) return false
      await requests.add(request)
      return true
    }),
})
