import { admitNow } from '../access/admit.ts'
import type { Caller } from '../access/caller.ts'
import { Unauthenticated } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { type BatchReport, UseCase } from '../use-case.ts'
import { type ConsoleSession, IDLE_LIMIT, isOver } from './console-session.ts'

/** Those that would be let in now: of a user who was deleted, none, though its session is stored until it is tidied up. */
export class ListConsoleSessionsUseCase extends UseCase<'access' | 'clock' | 'reads', 'consoleSessions' | 'users'> {
  static readonly permission = 'sessions:read'
  static readonly action = 'session.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<ConsoleSession>> {
    const attempt = await this.ports.access.require(caller, ListConsoleSessionsUseCase)
    const { readers, clock, reads } = this.ports
    const { items, next } = await readers.consoleSessions.list(stretchOf(request))
    const now = clock.now()
    const live = await Promise.all(
      items.map(async (session) => !isOver(session, now) && (await isAdmitted(readers.users, session))),
    )
    reads.note(caller, attempt)
    return { items: items.filter((_, at) => live[at]), next }
  }
}

const isAdmitted = async (users: Parameters<typeof admitNow>[0], session: ConsoleSession) => {
  try {
    await admitNow(users, session, { channel: 'console' })
    return true
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error
    return false
  }
}

export class EndConsoleSessionUseCase extends UseCase<'access' | 'trail' | 'unitOfWork'> {
  static readonly permission = 'sessions:end'
  static readonly action = 'session.end'

  /**
   * Logs out. A caller may always end its own session.
   * @param own the session that asks
   */
  async execute({ id, own }: { readonly id: string; readonly own?: string | undefined }, caller: Caller) {
    const { action } = EndConsoleSessionUseCase
    if (id !== own) await this.ports.access.require(caller, EndConsoleSessionUseCase, id)
    return await this.ports.unitOfWork.run(async ({ consoleSessions, audit }) => {
      const found = await consoleSessions.remove(id)
      if (found) await this.ports.trail.done(audit, caller, { action, target: id })
      return found
    })
  }
}

const BATCH = 200

/** Removes what is over: sessions, login links and plans. */
export class TidyConsoleUseCase extends UseCase<'clock' | 'unitOfWork'> {
  async execute(): Promise<BatchReport> {
    const now = this.ports.clock.now()
    const counts = await this.ports.unitOfWork.run(async ({ consoleSessions, loginLinks, deletionRuns }) => [
      await consoleSessions.prune({ now, idleSince: now - IDLE_LIMIT }, BATCH),
      await loginLinks.prune(now, BATCH),
      await deletionRuns.prune(now, BATCH),
    ])
    return { count: counts.reduce((sum, count) => sum + count, 0), more: counts.includes(BATCH) }
  }
}
