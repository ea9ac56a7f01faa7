import type { Dependencies } from '../dependencies.ts'
import { DAY } from '../instant.ts'

/** Longer than any cap on mails, or any pause between two tries, has a mail wait. */
const LONGEST_WAIT = 8 * DAY

type Needs = Pick<Dependencies, 'unitOfWork' | 'outboxSignal'>

/**
 * Frees mails of a time that never came: where the clock was ahead, and was set back since, what was to wait for a
 * moment would wait until it is there again. Each that comes too soon now is put off as it should be.
 */
export class RescheduleOutboxUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /**
   * How many were freed.
   * @param setBack whether the clock has just been set back; else only those are freed that wait for longer than any should
   */
  async execute({ setBack }: { readonly setBack: boolean }): Promise<number> {
    const rescheduled = await this.#ports.unitOfWork.run(({ outbox }) => outbox.reschedule(setBack ? 0 : LONGEST_WAIT))
    if (rescheduled > 0) this.#ports.outboxSignal.notify()
    return rescheduled
  }
}
