/** A form with a field that people do not see. */
export interface Trapped {
  /** The honeypot: only a machine fills it in. */
  readonly website?: string | undefined
}

/** Whether a machine filled in the form: it is answered like any other, and nothing becomes of it. */
export const isFilledByMachine = ({ website }: Trapped): boolean => Boolean(website)
