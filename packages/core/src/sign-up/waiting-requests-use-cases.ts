import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, type Position, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { WaitingRequest } from './waiting-request.ts'

export interface ListRequestsCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

/** Requests of the public that were accepted and are not carried out yet, oldest first. */
export class ListRequestsUseCase extends UseCase<'access', 'requests'> {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'

  async execute({ parked, ...request }: ListRequestsCommand, caller: Caller): Promise<Page<WaitingRequest>> {
    await this.ports.access.require(caller, ListRequestsUseCase)
    return await this.ports.readers.requests.list({ ...stretchOf(request), parked })
  }
}

/** Lets a request that was parked wait for its turn again. */
export class RetryRequestUseCase extends UseCase<'access' | 'unitOfWork' | 'requests' | 'trail'> {
  static readonly permission = 'outbox:retry'
  static readonly action = 'outbox.retry'

  /** Whether there is such a request. */
  async execute({ id }: { readonly id: Position }, caller: Caller): Promise<boolean> {
    const attempt = await this.ports.access.require(caller, RetryRequestUseCase, `s${id}`)
    const found = await this.ports.unitOfWork.run(async ({ requests, audit }) => {
      const found = await requests.retry(id)
      if (found) await this.ports.trail.done(audit, caller, attempt)
      return found
    })
    if (found) await this.ports.requests.handedIn()
    return found
  }
}
