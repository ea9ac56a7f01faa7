import { DAY } from '../instant.ts'
import { UseCase } from '../use-case.ts'

/** Longer than any cap or any pause between two tries delays a mail or an event. */
const LONGEST_WAIT = 8 * DAY

/**
 * Frees mails, events and targets that wait for a wrong time: if the clock was ahead, and was set back since, what was to wait for a
 * moment would wait until that time comes again. What is freed too soon is postponed again.
 */
export class RescheduleOutboxUseCase extends UseCase<'unitOfWork'> {
  /**
   * How many mails were freed.
   * @param setBack whether the clock has just been set back; else only those that wait longer than any should are freed
   */
  async execute({ setBack }: { readonly setBack: boolean }): Promise<number> {
    const beyond = setBack ? 0 : LONGEST_WAIT
    return await this.ports.unitOfWork.run(async ({ outbox, webhookDeliveries }) => {
      await webhookDeliveries.reschedule(beyond)
      return await outbox.reschedule(beyond)
    })
  }
}
